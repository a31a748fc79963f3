import { limits, listPayoutMatches, listPayoutTransactions, type ReplyOf } from '@florin/contract';
import { listMoneyRows } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { Icon } from '../../design/icon.tsx';
import {
  type CsvColumn,
  csvPounds,
  csvTime,
  readOn,
  useExport,
  xero,
} from '../../parts/export-button.tsx';
import { ActList } from '../../parts/more-acts.tsx';
import { describeStatus } from '../../parts/status-badge.tsx';
import { dayOf, type Period } from '../../parts/times.ts';
import { lineKinds } from '../payouts/line-kinds.ts';
import { figureTitles, type MoneyFigure } from './figure-titles.ts';

type Line = ReplyOf<typeof listMoneyRows>['data'][number];

const describeLine = ({ reason }: Line): string => describeStatus(reason).words;
const kindOf = ({ figure }: Line): string => figureTitles[figure as MoneyFigure];
const methodOf = ({ method }: Line): string | null => {
  if (method === null) return null;
  return method === 'CARD' ? 'Card' : 'Bank';
};

/** A bank statement as Xero imports it: what comes in is positive, what goes off negative. */
export const statementColumns: readonly CsvColumn<Line>[] = [
  { title: 'Date', value: ({ occurredAt }) => writeCsvDay(occurredAt) },
  { title: 'Amount', value: ({ amount }) => csvPounds(amount) },
  { title: 'Payee', value: ({ customerName }) => customerName },
  { title: 'Description', value: describeLine },
  { title: 'Reference', value: ({ orderId }) => orderId },
];

const writeCsvDay = (at: string): string => dayOf(new Date(at)).split('-').reverse().join('/');

export const detailColumns: readonly CsvColumn<Line>[] = [
  // A date to a spreadsheet, which takes a time with its zone for text.
  { title: 'Day', value: ({ occurredAt }) => dayOf(new Date(occurredAt)) },
  { title: 'Paid at', value: ({ occurredAt }) => csvTime(occurredAt) },
  { title: 'Settled at', value: ({ settledAt }) => csvTime(settledAt) },
  { title: 'Kind', value: kindOf },
  { title: 'Status', value: describeLine },
  { title: 'Order', value: ({ orderId }) => orderId },
  { title: 'Customer', value: ({ customerName }) => customerName },
  { title: 'Your customer id', value: ({ customerId }) => customerId },
  { title: 'Store', value: ({ storeName }) => storeName },
  { title: 'Paid by', value: methodOf },
  { title: 'Amount', value: ({ amount }) => csvPounds(amount) },
  { title: 'Fee', value: ({ figure, amount }) => (figure === 'FEES' ? csvPounds(-amount) : null) },
  { title: 'Tip in it', value: ({ tipAmount }) => csvPounds(tipAmount) },
  { title: 'VAT in it', value: ({ taxAmount }) => csvPounds(taxAmount) },
  { title: 'Service in it', value: ({ serviceAmount }) => csvPounds(serviceAmount) },
  { title: 'Payout', value: ({ payoutReference }) => payoutReference },
  { title: 'Paid out at', value: ({ paidOutAt }) => csvTime(paidOutAt) },
  { title: 'Payment id', value: ({ paymentRequestId }) => paymentRequestId },
];

type Payout = ReplyOf<typeof listPayoutMatches>['data'][number];
type PayoutLine = ReplyOf<typeof listPayoutTransactions>['data'][number] & {
  readonly of: Payout;
};

export const payoutColumns: readonly CsvColumn<PayoutLine>[] = [
  { title: 'Payout', value: ({ of }) => of.reference },
  { title: 'Paid out', value: ({ of }) => csvTime(of.settledAt) },
  { title: 'Payout amount', value: ({ of }) => csvPounds(Number(of.amount)) },
  { title: 'For', value: ({ lineType }) => lineKinds[lineType] },
  { title: 'Amount', value: ({ amount }) => csvPounds(Number(amount)) },
  { title: 'Order', value: ({ orderId }) => orderId },
  { title: 'Store', value: ({ storeName }) => storeName },
  { title: 'Final', value: (line) => csvTime(line.transactionFinalizedAt) },
  { title: 'Notes', value: ({ notes }) => notes },
  { title: 'Payment id', value: ({ paymentRequestId }) => paymentRequestId },
  { title: 'Refund id', value: ({ refundId }) => refundId },
  { title: 'Payout id', value: ({ of }) => of.payoutId },
];

/** What was paid out in these days: one payout after the other, and of each one page after the other. */
const readPayoutLines = ({ from, to }: Period) => {
  let waiting: Payout[] = [];
  let [pageOfPayouts, pageOfLines, isLast] = [0, 0, false];
  return async (page: number, signal: AbortSignal) => {
    const limit = limits.pageSizeMax;
    if (page === 0) [waiting, pageOfPayouts, pageOfLines, isLast] = [[], 0, 0, false];
    if (waiting.length === 0 && !isLast) {
      const query = { page: pageOfPayouts, limit, fromDate: from, toDate: to };
      const found = await callOperation(listPayoutMatches, { query }, { signal });
      waiting = [...found.data];
      pageOfPayouts += 1;
      isLast = pageOfPayouts * limit >= found.totalCount;
    }
    const [of] = waiting;
    if (!of) return { rows: [], total: 0, goesOn: false };
    const input = { params: { payoutId: of.payoutId }, query: { page: pageOfLines, limit } };
    const part = await callOperation(listPayoutTransactions, input, { signal });
    pageOfLines += 1;
    if (pageOfLines * limit >= part.totalCount) {
      waiting = waiting.slice(1);
      pageOfLines = 0;
    }
    const rows = part.data.map((line) => ({ ...line, of }));
    return { rows, total: 0, goesOn: waiting.length > 0 || !isLast };
  };
};

type StatementExportsProps = { readonly days: Period; readonly storeId: string | undefined };

/** What an accountant imports of these days. */
export const StatementExports = ({ days, storeId }: StatementExportsProps): ReactNode => {
  const query = { ...days, ...(storeId && { storeId }) };
  const named = `${days.from}-${days.to}`;
  const all = useExport({
    fileName: `lines-${named}`,
    columns: detailColumns,
    readPage: readOn(listMoneyRows, query),
  });
  const forXero = useExport({
    fileName: `statement-${named}`,
    columns: statementColumns,
    format: xero,
    readPage: readOn(listMoneyRows, query),
  });
  const payouts = useExport({
    fileName: `payouts-${named}`,
    columns: payoutColumns,
    readPage: readPayoutLines(days),
  });
  const files = [
    ['All entries', 'One line for each sale, refund and fee', all],
    ['For Xero', 'As a bank statement', forXero],
    ['Payouts', 'What each payout is made of', payouts],
  ] as const;
  return (
    <>
      <ActList
        acts={files.map(([says, about, { start }]) => ({ says, about, onChoose: start }))}
        button={(open) => (
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            rightSection={<Icon name="chevronDown" size={14} />}
            onClick={open}
          >
            Export
          </Button>
        )}
      />
      {files.map(([title, , { dialog }]) => (
        <Fragment key={title}>{dialog}</Fragment>
      ))}
    </>
  );
};
