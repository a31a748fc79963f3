import type { ReplyOf } from '@florin/contract';
import { getFunnel } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import type { Period } from '../../../parts/filters/period.ts';
import { SectionCard } from '../../../parts/section-card.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { writeCount } from '../../../parts/write-pounds.ts';
import classes from './payment-funnel.module.css';
import { writeShare } from './write-share.ts';

type Funnel = ReplyOf<typeof getFunnel>;
type Bank = Funnel['banks'][number];

const steps = [
  ['started', 'Chose a bank or a card'],
  ['handedOver', 'Went to the bank or the card page'],
  ['approved', 'Approved'],
  ['paid', 'Paid'],
] as const satisfies readonly (readonly [keyof Bank, string])[];

const count = (id: 'started' | 'handedOver' | 'approved' | 'paid' | 'failed', title: string) =>
  ({
    id,
    title,
    isRight: true,
    cell: (bank: Bank) => <span className="figures">{writeCount(bank[id])}</span>,
  }) satisfies Column<Bank>;

const columns: readonly Column<Bank>[] = [
  { id: 'bank', title: 'Bank or card', isMain: true, cell: ({ bankName }) => bankName },
  count('started', 'Chosen'),
  count('handedOver', 'Handed over'),
  count('approved', 'Approved'),
  count('paid', 'Paid'),
  count('failed', 'Failed'),
  {
    id: 'share',
    title: 'Paid of chosen',
    isRight: true,
    cell: ({ paid, started }) => <span className="figures">{writeShare(paid, started)}</span>,
  },
];

/** How far payers came, step by step, and at which bank they stopped. */
export const PaymentFunnel = ({ period }: { readonly period: Period }): ReactNode => {
  const { data, error, refetch } = useOperation(getFunnel, { query: period });
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <SectionCard title="From choice to payment">
      <ol className={classes.steps}>
        {steps.map(([id, title]) => (
          <li key={id}>
            <span>{title}</span>
            <meter
              min={0}
              max={Math.max(data.started, 1)}
              value={data[id]}
              aria-label={`${title}: ${data[id]} of ${data.started}`}
            />
            <span className="figures">
              {writeCount(data[id])}{' '}
              <span className="soft">{writeShare(data[id], data.started)}</span>
            </span>
          </li>
        ))}
      </ol>
      {data.isSample && <p className="soft">Counted from the newest attempts of these days.</p>}
      <DataTable<Bank>
        name="funnel"
        isPlain
        caption="Steps by bank and card, the most chosen first"
        columns={columns}
        rows={data.banks}
        rowKey={({ institutionId, method }) => `${institutionId} ${method}`}
        empty={<p className="soft">No payer set out in these days.</p>}
      />
    </SectionCard>
  );
};
