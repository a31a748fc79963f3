import type { ReplyOf } from '@florin/contract';
import { getFunnel } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { writeCount } from '../../../parts/write-pounds.ts';
import type { HomeFilters } from '../home-filters.ts';
import classes from './payment-funnel.module.css';
import { writeShare } from './write-share.ts';

type Funnel = ReplyOf<typeof getFunnel>;
type Bank = Funnel['banks'][number];

const steps = [
  ['opened', 'Opened the page'],
  ['started', 'Chose a bank or a card'],
  ['handedOver', 'Went to the bank or the card page'],
  ['approved', 'Approved'],
  ['paid', 'Paid'],
] as const satisfies readonly (readonly [keyof Funnel, string])[];

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
export const PaymentFunnel = ({ period }: { readonly period: HomeFilters }): ReactNode => {
  const { data, error, refetch } = useOperation(getFunnel, { query: period });
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  // Apps, links of a bank and saved cards start without the page.
  const all = Math.max(data.opened, data.started, 1);
  return (
    <SectionCard title="From the page to the payment">
      <ol className={classes.steps}>
        {steps.map(([id, title]) => (
          <li key={id}>
            <span>{title}</span>
            <meter
              min={0}
              max={all}
              value={data[id]}
              aria-label={`${title}: ${data[id]} of ${all}`}
            />
            <span className="figures">
              {writeCount(data[id])}{' '}
              {id !== 'opened' && (
                <span className="soft">{writeShare(data[id], data.started)}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {data.isSample && <p className="soft">Counted from the newest of these days.</p>}
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
