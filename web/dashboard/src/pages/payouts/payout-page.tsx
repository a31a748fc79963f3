import {
  listPayoutMatches,
  listPayouts,
  listPayoutTransactions,
  type ReplyOf,
} from '@florin/contract';
import { listPayoutStores } from '@florin/contract/dashboard/index.ts';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import {
  amountColumn,
  type Column,
  DataTable,
  fileColumns,
  timeColumn,
} from '../../parts/data-table.tsx';
import { type CsvColumn, ExportButton } from '../../parts/export-button.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { insteadOf, type Later } from '../../parts/later.tsx';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writeCount, writePounds } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CopyText, DateText, MoneyText } from '../../parts/texts.tsx';
import { dayOf, writeSpan } from '../../parts/times.ts';
import classes from '../payments/payment-money.module.css';
import { kindTitles, lineKinds } from './line-kinds.ts';
import { AccountText, MatchText, settledIn } from './matches.tsx';
import { payoutDate } from './payout-date.ts';

type Line = ReplyOf<typeof listPayoutTransactions>['data'][number];
type Payout = ReplyOf<typeof listPayouts>['data'][number];
type Matched = ReplyOf<typeof listPayoutMatches>['data'][number];

const pageSize = 50;
const listRead = 100;

const columns: readonly Column<Line>[] = [
  amountColumn(({ amount }) => Number(amount)),
  { id: 'kind', title: 'For', isMain: true, cell: ({ lineType }) => lineKinds[lineType] },
  { id: 'order', title: 'Order', isSecond: true, cell: ({ orderId }) => orderId },
  { id: 'store', title: 'Store', isObvious: true, cell: ({ storeName }) => storeName },
  { id: 'reference', title: 'Reference', isExtra: true, cell: (line) => line.paymentIdempotencyId },
  { id: 'notes', title: 'Notes', isObvious: true, cell: ({ notes }) => notes },
  {
    ...timeColumn(({ transactionFinalizedAt }) => transactionFinalizedAt),
    ...{ id: 'final', title: 'Completed', isObvious: true },
  },
];

const exported: readonly CsvColumn<Line>[] = [
  ...fileColumns(columns),
  { title: 'Payment id', value: (line) => line.paymentRequestId },
  { title: 'Refund id', value: (line) => line.refundId },
];

type Store = ReplyOf<typeof listPayoutStores>['data'][number];

const storeColumns: readonly Column<Store>[] = [
  { id: 'store', title: 'Store', isMain: true, cell: ({ storeName }) => storeName },
  { id: 'lines', title: 'Lines', count: ({ lines }) => lines },
  { id: 'amount', title: 'Amount', isMain: true, pounds: ({ amount }) => amount },
];

/** What each store brought to it; of one store alone it says nothing new. */
const ByStore = ({ stores }: { readonly stores: readonly Store[] }): ReactNode => {
  if (stores.length < 2) return null;
  return (
    <SectionCard title="By store">
      <DataTable<Store>
        isPlain
        name="payout-stores"
        caption="What each store brought to this payout"
        columns={storeColumns}
        rows={stores}
        rowKey={({ storeId }) => storeId}
        empty={null}
      />
    </SectionCard>
  );
};

const meanings: Readonly<Record<Exclude<Payout['status'], 'PENDING'>, string>> = {
  PROCESSING: 'Handed to the bank and on its way to your account.',
  SETTLED: 'The bank has sent it to your bank account.',
  FAILED: 'The bank could not pay it.',
};

const Meaning = ({ of: payout }: { readonly of: Payout }): ReactNode => {
  if (payout.status !== 'PENDING') return meanings[payout.status];
  return (
    <>
      Collects payments until <DateText isShort at={payout.settlementPeriodEnd} />; then it goes to{' '}
      <AccountText of={payout.account} />.
    </>
  );
};

const AfterFailure = ({ status }: { readonly status: string | undefined }): ReactNode => {
  const address = useAddress();
  if (status !== 'FAILED') return null;
  return (
    <p role="status">
      Nothing is lost: its lines go into the next payout automatically.{' '}
      <Link to={address('settings/stores')}>Check the account it was sent to</Link>.
    </p>
  );
};

/** By its lines: one that was held up holds more than its period did. */
const collectedIn = (of: Sums | undefined): ReactNode =>
  of?.firstAt &&
  of.lastAt &&
  writeSpan({ from: dayOf(new Date(of.firstAt)), to: dayOf(new Date(of.lastAt)) });

type PayoutFactsProps = {
  readonly payoutId: string;
  readonly reference: string;
  readonly payout: Payout | undefined;
  readonly matches: Later;
  readonly match: Matched | undefined;
  readonly sums: Sums | undefined;
};

const PayoutFacts = (props: PayoutFactsProps): ReactNode => {
  const { payoutId, reference, payout, matches, match, sums } = props;
  const time = (at: string | null | undefined): ReactNode => (at ? <DateText at={at} /> : null);
  const { account } = payout ?? {};
  return (
    <SectionCard title="Payout">
      <DetailList
        of={[
          ['To account', account && <AccountText key="to" of={account} />],
          ['Bank reference', reference && <CopyText text={reference} what="reference" />],
          [
            'At your bank',
            payout?.settledAt &&
              (insteadOf(matches) ??
                time(match?.creditedAt) ??
                (match && <MatchText key="match" match={match.match} />)),
          ],
          // The day on which our bank's report said so, after the money had arrived.
          [payout?.settledAt ? 'Confirmed paid' : 'Due', payout && time(payoutDate(payout))],
          ['Covers payments from', collectedIn(sums)],
          ['Payout id', <CopyText key="id" text={payoutId} what="payout id" />],
        ]}
      />
    </SectionCard>
  );
};

type Sums = ReplyOf<typeof listPayoutStores>;

/** What each kind of line adds up to, and where it goes: the whole payout as a sum. */
const MadeOf = ({
  kinds,
  payout,
}: Pick<Sums, 'kinds'> & { readonly payout: Payout }): ReactNode => (
  <SectionCard title="Breakdown">
    <dl className={classes.sum}>
      {kinds.map(({ lineType, lines, amount }) => (
        <div key={lineType}>
          <dt>
            {kindTitles[lineType]} <span className="soft">({writeCount(lines)})</span>
          </dt>
          <dd>
            <MoneyText pounds={amount} />
          </dd>
        </div>
      ))}
      <div data-net="">
        <dt>
          {payout.status === 'SETTLED' ? 'Paid out' : 'To pay out'} to{' '}
          <AccountText of={payout.account} />
        </dt>
        <dd>
          <MoneyText pounds={Number(payout.amount)} />
        </dd>
      </div>
    </dl>
  </SectionCard>
);

/** With the list that it stands in, and what the bank account shows of it. */
const usePayout = (payoutId: string, page: number) => {
  const params = { payoutId };
  const lines = useOperation(listPayoutTransactions, {
    params,
    query: { page: page - 1, limit: pageSize },
  });
  const sums = useOperation(listPayoutStores, { params });
  const reference = lines.data?.data[0]?.payoutReferenceId ?? '';
  const { data: list } = useOperation(
    listPayouts,
    { query: { search: reference, limit: listRead } },
    { enabled: reference !== '' },
  );
  const payout = list?.data.find(({ id }) => id === payoutId);
  const settled = settledIn(payout ? [payout] : []);
  const matched = useOperation(
    listPayoutMatches,
    { query: { ...settled, limit: listRead } },
    { enabled: settled !== null },
  );
  const match = matched.data?.data.find((each) => each.payoutId === payoutId);
  const matches = { ...matched, failed: 'Could not ask the bank' };
  return { lines, sums, reference, list, payout, matches, match };
};

/** One payout: its lines add up to the amount, and the bank statement shows it. */
export const PayoutPage = (): ReactNode => {
  const address = useAddress();
  const { payoutId } = useParams({ from: '/$merchantId/$environment/payouts/$payoutId' });
  const [page, setPage] = useState(1);
  const params = { payoutId };
  const { lines, sums, reference, list, payout, matches, match } = usePayout(payoutId, page);
  const isWhole = lines.data && sums.data && (reference === '' || list);
  if (!isWhole) return <NotYet of={lines.error ? lines : sums} />;
  return (
    <>
      <PageTitle
        title={payout ? writePounds(Number(payout.amount)) : 'Payout'}
        above={<Link to={address('payouts')}>Payouts</Link>}
        badges={payout && <StatusBadge status={payout.status} />}
        says={payout && <Meaning of={payout} />}
      >
        <ExportButton
          fileName={`payout-${reference}`}
          columns={exported}
          readPage={async (number, signal) => {
            const query = { page: number, limit: 100 };
            const part = await callOperation(listPayoutTransactions, { params, query }, { signal });
            return { rows: part.data, total: part.totalCount };
          }}
        />
      </PageTitle>
      <AfterFailure status={payout?.status} />
      <div className={classes.halves}>
        {payout && <MadeOf kinds={sums.data?.kinds ?? []} payout={payout} />}
        <PayoutFacts {...{ payoutId, reference, payout, matches, match }} sums={sums.data} />
      </div>
      <ByStore stores={sums.data?.data ?? []} />
      <section aria-label="Lines">
        <DataTable<Line>
          toolbar={<h2 className={classes.lines}>Lines</h2>}
          name="payout-lines"
          caption="Payments, refunds and fees of this payout"
          columns={columns}
          rowKey={(line) =>
            `${line.lineType} ${line.paymentIdempotencyId ?? line.transactionFinalizedAt} ${line.refundId}`
          }
          rowLink={(line) =>
            line.paymentRequestId === null
              ? undefined
              : address(`payments/${line.paymentRequestId}`)
          }
          read={lines}
          totals={
            payout && (
              <p className="figures">
                Total <strong>{writePounds(Number(payout.amount))}</strong>
              </p>
            )
          }
          pager={{ page, size: pageSize, total: lines.data?.totalCount, onPage: setPage }}
          empty={<p className="soft">This payout has no lines.</p>}
        />
      </section>
    </>
  );
};
