import {
  creditStatuses,
  limits,
  listCredits,
  listOperatorCases,
  matchCredit,
  type ReplyOf,
} from '@florin/contract';
import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isEnvironment } from '../../call/tenant.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { writePounds } from '../../parts/amounts.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { ChoiceMenu } from '../../parts/filter-fields.tsx';
import { EmptyState } from '../../parts/layout.tsx';
import { describeStatus, sentenceCase } from '../../parts/status-badge.tsx';
import { amountColumn, statusColumn } from '../../parts/table/columns.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { DateText } from '../../parts/texts.tsx';
import type { QueueFilters } from '../../routes/operator-filters.ts';

export type QueueProps = {
  readonly filters: QueueFilters;
  readonly onChange: (changes: QueueFilters) => void;
};

const pageSize = 25;

const columnsWith = (match: (credit: Credit) => void): readonly Column<Credit>[] => [
  amountColumn(({ amount }) => Number(amount)),
  statusColumn,
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

export type Credit = ReplyOf<typeof listCredits>['data'][number];

type MatchCreditProps = { readonly credit: Credit; readonly onClose: () => void };

const ids = [
  { name: 'merchantId', label: 'Merchant id' },
  { name: 'paymentRequestId', label: 'Payment request id' },
  { name: 'attemptId', label: 'Attempt id' },
] as const;

type Ids = Readonly<Record<(typeof ids)[number]['name'], string>>;

const noIds: Ids = { merchantId: '', paymentRequestId: '', attemptId: '' };

/** Once: the payment is settled by it. */
const MatchCredit = ({ credit, onClose }: MatchCreditProps): ReactNode => {
  const [typed, setTyped] = useState<Ids>(noIds);
  const [evidence, setEvidence] = useState('');
  const match = useAct(matchCredit, { changes: [listCredits, listOperatorCases] });
  const environment = credit.environment.toLowerCase();
  const amount = writePounds(Number(credit.amount));
  const isFilled = ids.every(({ name }) => typed[name] !== '') && evidence.trim() !== '';
  const send = async (): Promise<void> => {
    if (!isEnvironment(environment)) throw new Error(`There is no environment ${environment}.`);
    const body = { ...typed, environment, evidence: evidence.trim() };
    await match.mutateAsync({ params: { creditId: credit.creditId }, body });
  };
  return (
    <ConfirmAct
      isOpen
      title={`Match the credit of ${amount}`}
      act={`Settle the payment with ${amount}`}
      isReady={isFilled}
      onConfirm={send}
      onClose={onClose}
    >
      <Stack>
        <p>
          {amount} from {credit.payerName ?? 'an unnamed payer'} settle the payment that you name
          here. This is done once and cannot be undone.
        </p>
        {ids.map(({ name, label }) => (
          <TextInput
            key={name}
            label={label}
            required
            maxLength={36}
            value={typed[name]}
            onChange={({ currentTarget }) =>
              setTyped({ ...typed, [name]: currentTarget.value.trim() })
            }
          />
        ))}
        <Textarea
          label="How you know"
          description="A statement, a letter of the bank"
          required
          autosize
          minRows={2}
          maxLength={limits.operatorTextLength}
          value={evidence}
          onChange={({ currentTarget }) => setEvidence(currentTarget.value)}
        />
      </Stack>
    </ConfirmAct>
  );
};
