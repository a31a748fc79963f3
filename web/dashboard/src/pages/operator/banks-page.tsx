import { listBankHealth, type ReplyOf } from '@florin/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { writeCount } from '../../parts/amounts.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { DateText } from '../../parts/texts.tsx';
import { EnvironmentChoice } from './environment-choice.tsx';

type Bank = ReplyOf<typeof listBankHealth>[number];

const lookEveryMs = 60_000;

const columns: readonly Column<Bank>[] = [
  { id: 'name', title: 'Bank', isMain: true, cell: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    isMain: true,
    cell: ({ state }) => <StatusBadge status={state} />,
  },
  { id: 'enabled', title: 'Offered', cell: ({ enabled }) => (enabled ? 'Yes' : 'No') },
  { id: 'calls', title: 'Calls', isRight: true, cell: ({ calls }) => writeCount(calls) },
  {
    id: 'failed',
    title: 'Failed',
    isRight: true,
    cell: ({ failedCalls }) => writeCount(failedCalls),
  },
  {
    id: 'success',
    title: 'Success',
    isRight: true,
    cell: ({ successPercent }) => successPercent !== null && `${successPercent} %`,
  },
  {
    id: 'average',
    title: 'Average',
    isRight: true,
    cell: ({ averageMs }) => averageMs !== null && `${writeCount(averageMs)} ms`,
  },
  {
    id: 'failure',
    title: 'Last failure',
    cell: ({ lastFailureAt }) => <DateText at={lastFailureAt} />,
  },
  {
    id: 'retry',
    title: 'Offered again',
    isExtra: true,
    cell: ({ retryAt }) => <DateText at={retryAt} />,
  },
  {
    id: 'id',
    title: 'Id',
    isExtra: true,
    cell: ({ institutionId }) => <span className="code">{institutionId}</span>,
  },
];

/** The last two minutes of calls to each bank. */
export const BanksPage = (): ReactNode => {
  const navigate = useNavigate();
  const { environment = 'sandbox' } = useSearch({ from: '/operator/banks' });
  const found = useOperation(
    listBankHealth,
    { params: { environment } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Banks" says="How calls to each bank went in the last two minutes">
        <EnvironmentChoice
          environment={environment}
          onChoose={(next) => void navigate({ to: '.', search: { environment: next } })}
        />
      </PageTitle>
      {found.error?.failure === 'RAIL_NOT_CONFIGURED' ? (
        <EmptyState title={`No banks in ${environment}`} icon="payouts">
          <p>{found.error.message}</p>
        </EmptyState>
      ) : (
        <DataTable<Bank>
          name="banks"
          caption={`Banks in ${environment}`}
          columns={columns}
          rows={found.data}
          rowKey={({ institutionId }) => institutionId}
          failure={found.error}
          onRetry={() => void found.refetch()}
          empty={
            <EmptyState title="No banks" icon="payouts">
              <p>Banks come from the settings of the installation.</p>
            </EmptyState>
          }
        />
      )}
    </>
  );
};
