import { listCredits } from '@florin/contract';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { DateText } from '../../../parts/date-text.tsx';
import { describeStatus, sentenceCase } from '../../../parts/describe-status.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { ChoiceMenu } from '../../../parts/filters/choice-menu.tsx';
import { MoneyText } from '../../../parts/money-text.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { creditStatuses } from '../operator-filters.ts';
import type { QueueProps } from './bank-messages.tsx';
import { type Credit, MatchCredit } from './match-credit.tsx';

const pageSize = 25;

const columnsWith = (match: (credit: Credit) => void): readonly Column<Credit>[] => [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ amount }) => <MoneyText pounds={Number(amount)} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { id: 'booked', title: 'Booked', cell: ({ bookedOn }) => <DateText at={bookedOn} isDay /> },
  { id: 'payer', title: 'Payer', cell: ({ payerName }) => payerName },
  { id: 'text', title: 'On the statement', cell: ({ remittance }) => remittance },
  { id: 'reason', title: 'Why nothing explains it', cell: ({ reason }) => reason },
  {
    id: 'environment',
    title: 'Environment',
    isExtra: true,
    cell: ({ environment }) => sentenceCase(environment),
  },
  {
    id: 'matched',
    title: 'Matched',
    cell: (credit) =>
      credit.status === 'UNMATCHED' ? (
        <Button size="compact-sm" variant="default" onClick={() => match(credit)}>
          Match
        </Button>
      ) : (
        credit.matchedAt && <DateText at={credit.matchedAt} />
      ),
  },
];

const statusChoices = creditStatuses.map((value) => ({
  value,
  label: describeStatus(value).words,
}));

export const Credits = ({ filters, onChange }: QueueProps): ReactNode => {
  const { page = 1, status } = filters;
  const [chosen, setChosen] = useState<Credit | null>(null);
  const found = useOperation(listCredits, { query: { page: page - 1, size: pageSize, status } });
  return (
    <>
      <DataTable<Credit>
        name="credits"
        caption="Credits of the collecting account, the newest first"
        columns={columnsWith(setChosen)}
        rows={found.data?.data}
        rowKey={({ creditId }) => creditId}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <ChoiceMenu
            label="Status"
            choices={statusChoices}
            chosen={status ? [status] : []}
            onChoose={(next) => onChange({ status: next.at(-1) })}
          />
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          onPage: (next) => onChange({ page: next }),
        }}
        empty={
          <EmptyState title="No credits here" icon="payouts">
            <p>
              Money that arrives on the collecting account is matched to its payment by the report
              of the bank. What matches none waits here for a person.
            </p>
          </EmptyState>
        }
      />
      {chosen && <MatchCredit credit={chosen} onClose={() => setChosen(null)} />}
    </>
  );
};
