import { listBankHealth, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { inEnvironment, useFilters } from '../../parts/use-filters.tsx';

type Bank = ReplyOf<typeof listBankHealth>[number];

const lookEveryMs = 60_000;

const columns: readonly Column<Bank>[] = [
  { id: 'name', title: 'Bank', isMain: true, cell: ({ name }) => name },
  {
    id: 'state',
    title: 'Status',
    isMain: true,
    // That it works is seen by a call.
    status: ({ state, calls }) => (state === 'WORKING' && calls === 0 ? 'NO_CALLS' : state),
  },
  { id: 'enabled', title: 'Offered', cell: ({ enabled }) => (enabled ? 'Yes' : 'No') },
  { id: 'calls', title: 'Calls', count: ({ calls }) => calls },
  { id: 'failed', title: 'Failed', count: ({ failedCalls }) => failedCalls },
  {
    id: 'success',
    title: 'Success',
    isRight: true,
    cell: ({ successPercent }) => (successPercent === null ? null : `${successPercent}%`),
  },
  { id: 'average', title: 'Average', ms: ({ averageMs }) => averageMs },
  { id: 'failure', title: 'Last failure', at: ({ lastFailureAt }) => lastFailureAt },
  { id: 'retry', title: 'Offered again', isExtra: true, at: ({ retryAt }) => retryAt },
  { id: 'id', title: 'Id', isExtra: true, code: ({ institutionId }) => institutionId },
];

/** The last two minutes of calls to each bank. */
export const BanksPage = (): ReactNode => {
  const { filters, toolbar } = useFilters(inEnvironment);
  const { environment = 'sandbox' } = filters;
  const found = useOperation(
    listBankHealth,
    { params: { environment } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Banks" says="How calls to each bank went in the last two minutes">
        {toolbar}
      </PageTitle>
      {found.error?.failure === 'RAIL_NOT_CONFIGURED' ? (
        <EmptyState title={`No banks in ${environment}`} icon="payouts">
          {found.error.message}
        </EmptyState>
      ) : (
        <DataTable<Bank>
          name="banks"
          caption={`Banks in ${environment}`}
          columns={columns}
          rows={found.data}
          rowKey={({ institutionId }) => institutionId}
          read={found}
          empty={
            <EmptyState title="No banks" icon="payouts">
              Banks come from the settings of the installation.
            </EmptyState>
          }
        />
      )}
    </>
  );
};
