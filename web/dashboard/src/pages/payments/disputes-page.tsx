import type { ReplyOf } from '@florin/contract';
import { listDisputes } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable, fileColumns } from '../../parts/data-table.tsx';
import { csvTime, ExportButton, readOn } from '../../parts/export-button.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { ListTotals, sortedBy } from '../../parts/sort-and-totals.tsx';
import { inStore } from '../../parts/store-filter.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import { dayOf, daysUpTo, now, writeAge } from '../../parts/times.ts';
import { inAddress, oneOf, searchFor, useFilters } from '../../parts/use-filters.tsx';
import classes from './payment-disputes.module.css';
import { type Dispute, DisputeBadge, disputeWords, isSoon } from './payment-disputes.tsx';

type Disputed = ReplyOf<typeof listDisputes>['data'][number];

const pageSize = 25;
const lookEveryMs = 30_000;

const filters = {
  search: searchFor('Order, customer or dispute'),
  status: oneOf('Status', disputeWords),
  within: oneOf('Answer by', { 0: 'Today', 3: 'In 3 days', 7: 'In a week' }),
  ...inStore,
  ...sortedBy,
  before: inAddress.text,
};

/** The one that waits for an answer, else the last. */
const pressing = ({ disputes }: Disputed): Dispute | undefined =>
  disputes.find(({ status, answer }) => status === 'OPEN' && answer === 'DRAFT') ??
  disputes.find(({ status }) => status === 'OPEN') ??
  disputes.at(-1);

/** What the page of a dispute says in a sentence. */
const shortReasons: Readonly<Record<string, string>> = {
  fraudulent: 'Did not make this payment',
  unrecognized: 'Not recognised',
  duplicate: 'Charged twice',
  product_not_received: 'Not delivered',
  product_unacceptable: 'Not as described',
  credit_not_processed: 'Refund missing',
  subscription_canceled: 'Subscription ended',
  general: 'No reason given',
};

const columns: readonly Column<Disputed>[] = [
  { ...amountColumn(({ amount }) => amount), title: 'Disputed' },
  {
    id: 'state',
    title: 'Status',
    isMain: true,
    cell: (row) => {
      const dispute = pressing(row);
      return dispute && <DisputeBadge of={dispute} />;
    },
    inFile: (row) => disputeWords[pressing(row)?.status ?? 'OPEN'],
  },
  {
    id: 'respondBy',
    title: 'Answer by',
    cell: (row) => {
      const by = pressing(row)?.respondBy;
      return (
        by && (
          <span className={classes.by} data-tone={isSoon(by) ? 'bad' : 'warn'}>
            <DateText at={by} />, {writeAge(new Date(by), now())}
          </span>
        )
      );
    },
    inFile: (row) => csvTime(pressing(row)?.respondBy),
  },
  { id: 'order', title: 'Order', isObvious: true, cell: ({ orderId }) => orderId },
  { id: 'payer', title: 'Customer', isSecond: true, cell: ({ payer }) => payer },
  {
    id: 'reason',
    title: 'Reason',
    cell: (row) => shortReasons[pressing(row)?.reasonCode ?? ''] ?? 'Other',
    inFile: (row) => pressing(row)?.reason ?? null,
  },
  { id: 'paid', title: 'Paid', isExtra: true, pounds: ({ paidAmount }) => paidAmount },
  { id: 'opened', title: 'Opened', at: ({ openedAt }) => openedAt },
  { id: 'created', title: 'Paid at', isExtra: true, at: ({ createdAt }) => createdAt },
  { id: 'store', title: 'Store', isExtra: true, cell: ({ storeName }) => storeName },
  {
    id: 'reference',
    title: 'Dispute id',
    isExtra: true,
    copied: (row) => pressing(row)?.reference ?? null,
  },
  {
    id: 'id',
    title: 'Payment id',
    isExtra: true,
    code: ({ paymentRequestId }) => paymentRequestId,
  },
];

/** What card holders contest, with its deadline; each leads to its payment. */
export const DisputesPage = (): ReactNode => {
  const address = useAddress();
  const { filters: chosen, change, toolbar, isFiltered } = useFilters(filters, { replace: true });
  const { before, within, ...others } = chosen;
  const last = within && daysUpTo(1 - Number(within), dayOf(now())).from;
  const filtered = { ...others, respondBy: last };
  const options = { refetchEveryMs: lookEveryMs };
  const found = useOperation(
    listDisputes,
    { query: { ...filtered, before, limit: pageSize } },
    options,
  );
  const query = { ...filtered, limit: 1, totals: true };
  const added = useOperation(listDisputes, { query }, options);
  return (
    <>
      <PageTitle title="Disputes">
        <SavedViews page="disputes" />
        <ExportButton
          of={found}
          fileName="disputes"
          columns={fileColumns(columns)}
          readPage={readOn(listDisputes, filtered)}
        />
      </PageTitle>
      <DataTable<Disputed>
        name="disputes"
        caption="Disputed card payments"
        columns={columns}
        rowKey={({ paymentRequestId, createdAt }) => `${paymentRequestId} ${createdAt}`}
        rowLink={(row) => address(`disputes/${row.paymentRequestId}/${pressing(row)?.reference}`)}
        read={found}
        order={{ chosen: chosen.orderBy, choose: (orderBy) => change({ orderBy }) }}
        toolbar={toolbar}
        totals={<ListTotals of={added.data?.totals} one="dispute" words={disputeWords} />}
        pager={continueInAddress(chosen, found.data?.nextBefore, change)}
        empty={
          isFiltered ? (
            <EmptyState title="No matching disputes" icon="filter">
              Try another search or remove a filter.
            </EmptyState>
          ) : (
            <EmptyState title="No disputes" icon="warning">
              When a customer contests a card payment with their bank, it is listed here with their
              reason and your deadline to answer. Bank payments cannot be disputed.
            </EmptyState>
          )
        }
      />
    </>
  );
};
