import type { ReplyOf } from '@florin/contract';
import { getFunnel, listFailures } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import type { ChosenPeriod } from '../../parts/filter-fields.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import { countOf, writeCount, writePounds, writeShare } from '../../parts/numbers.ts';
import classes from './payment-insights.module.css';

type Funnel = ReplyOf<typeof getFunnel>;
type Bank = Funnel['banks'][number];

/** Each look counts up to ten thousand attempts. */
const lookEveryMs = 30_000;

const steps = [
  ['started', 'Chose a bank or a card'],
  ['handedOver', 'Went to their bank or the card page'],
  ['approved', 'Approved'],
  ['paid', 'Paid'],
] as const satisfies readonly (readonly [keyof Funnel, string])[];

/** A step that nobody was lost at says nothing. */
const stepsOf = (of: Funnel) =>
  steps.filter(([id]) => id !== 'handedOver' || of.handedOver !== of.started);

const count = (id: 'started' | 'handedOver' | 'approved' | 'paid' | 'failed', title: string) =>
  ({
    id,
    title,
    count: (bank: Bank) => bank[id],
  }) satisfies Column<Bank>;

const columns: readonly Column<Bank>[] = [
  { id: 'bank', title: 'Bank or card', isMain: true, cell: ({ bankName }) => bankName },
  count('started', 'Chosen'),
  count('approved', 'Approved'),
  count('paid', 'Paid'),
  count('failed', 'Failed'),
  {
    id: 'left',
    title: 'Left or still open',
    count: ({ started, paid, failed }) => Math.max(started - paid - failed, 0),
  },
  {
    id: 'share',
    title: 'Paid, %',
    isRight: true,
    cell: ({ paid, started }) => <span className="figures">{writeShare(paid, started)}</span>,
  },
];

const banksShown = 5;

/** Of all, also of those that are not in view. */
const sumOf = ([first, ...banks]: readonly Bank[]): Bank | undefined => {
  if (!first || banks.length === 0) return undefined;
  const sum = { ...first };
  for (const bank of banks)
    for (const id of ['started', 'handedOver', 'approved', 'paid', 'failed'] as const)
      sum[id] += bank[id];
  return sum;
};

type InsightProps = { readonly of: ChosenPeriod & { readonly storeId?: string | undefined } };

export const PaymentInsights = ({ of }: InsightProps): ReactNode => (
  <>
    <PaymentFunnel of={of} />
    <PaymentFailures of={of} />
  </>
);

/** How far payers came, step by step, and at which bank they stopped. */
const PaymentFunnel = ({ of }: InsightProps): ReactNode => {
  const read = useOperation(getFunnel, { query: of }, { refetchEveryMs: lookEveryMs });
  const { data } = read;
  const [isAll, setAll] = useState(false);
  if (read.error || !data) return <NotRead of={read} />;
  const all = Math.max(data.started, 1);
  return (
    <SectionCard title="Time from choosing to paid">
      <ol className={classes.steps}>
        {stepsOf(data).map(([id, title]) => (
          <li key={id}>
            <span>{title}</span>
            <meter
              min={0}
              max={all}
              value={data[id]}
              aria-label={`${title}: ${data[id]} of ${all}`}
            />
            <span className="figures">{writeCount(data[id])}</span>
            <span className="figures soft">{writeShare(data[id], data.started)}</span>
          </li>
        ))}
      </ol>
      <p className="soft">
        Counted by the day a payment was started; sales above count by the day it was paid.{' '}
        {countOf(data.started, 'try', 'tries')}; {countOf(data.opened, 'payment page')} opened.
      </p>
      {data.isSample && <p className="soft">Counted from the newest of these days.</p>}
      <DataTable<Bank>
        name="funnel"
        isPlain
        caption="Steps by bank and card, the most chosen first"
        columns={columns}
        rows={isAll ? data.banks : data.banks.slice(0, banksShown)}
        sum={sumOf(data.banks)}
        rowKey={({ institutionId, method }) => `${institutionId} ${method}`}
        empty={<p className="soft">No customer started a payment in this period.</p>}
      />
      {!isAll && data.banks.length > banksShown && (
        <Button variant="default" mt="sm" onClick={() => setAll(true)}>
          All {data.banks.length} banks and cards
        </Button>
      )}
    </SectionCard>
  );
};

type Reason = ReplyOf<typeof listFailures>['data'][number];

const whose: Readonly<Record<Reason['whoseMove'], string | null>> = {
  MERCHANT: 'You can act',
  PAYER: 'The customer can act',
  BANK: 'The bank can act',
  NONE: null,
};

/** Why payments did not come, in plain words, with what to do. */
const PaymentFailures = ({ of }: InsightProps): ReactNode => {
  const address = useAddress();
  const read = useOperation(listFailures, { query: of }, { refetchEveryMs: lookEveryMs });
  const { data } = read;
  if (read.error || !data) return <NotRead of={read} />;
  return (
    <SectionCard title="Why payments failed or were cancelled">
      {data.data.length === 0 && <p className="soft">No failed attempts in this period.</p>}
      <ul className={classes.reasons}>
        {data.data.map((reason) => (
          <li key={`${reason.reason} ${reason.method}`}>
            <div>
              <h3>{reason.title}</h3>
              <p>{reason.advice}</p>
              <p className="soft">
                {whose[reason.whoseMove] && `${whose[reason.whoseMove]} · `}
                {reason.method === 'CARD' ? 'Card' : 'Bank'} ·{' '}
                <span className="code">{reason.reason}</span>
              </p>
              <p className={classes.latest}>
                Latest:{' '}
                {reason.latest.map(({ paymentRequestId: id, orderId }) => (
                  <Link key={id} to={address(`payments/${id}`)} className="together">
                    {orderId}
                  </Link>
                ))}
              </p>
            </div>
            <p className={classes.count}>
              <strong className="figures">{writeCount(reason.count)}</strong>
              <span className="figures soft">{writePounds(reason.amount)}</span>
            </p>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
};
