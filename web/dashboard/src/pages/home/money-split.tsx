import type { ReplyOf } from '@florin/contract';
import { getStatement } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { writeShare } from '../../parts/numbers.ts';
import { MoneyText } from '../../parts/texts.tsx';
import { daysBefore, type Period, writeSpan } from '../../parts/times.ts';
import { Change } from './figure-row.tsx';
import { methodWords } from './method-words.ts';
import classes from './money-split.module.css';

type Statement = ReplyOf<typeof getStatement>;
type Amounts = Pick<Statement, 'sold' | 'refunded' | 'reversed' | 'fees' | 'net'>;
type Part = Amounts & {
  readonly id: string;
  readonly name: string;
  /** Sold in as many days before; undefined: not known, or nothing was. */
  readonly before?: number | undefined;
};

type MoneySplitProps = {
  readonly by: 'store' | 'method';
  readonly period: Period;
  readonly storeId: string | undefined;
};

/** Which store, or which way to pay, brought how much of it: bars in a table. */
export const MoneySplit = ({ by, period, storeId }: MoneySplitProps): ReactNode => {
  const of = storeId ? { storeId } : {};
  const read = useOperation(getStatement, { query: { ...period, ...of } });
  const earlier = useOperation(getStatement, { query: { ...daysBefore(period), ...of } });
  const parts =
    read.data && compare(partsOf(read.data)[by], earlier.data && partsOf(earlier.data)[by]);
  const all = parts?.reduce((sum, { sold }) => sum + sold, 0) ?? 0;
  const days = earlier.data?.sold ? writeSpan(daysBefore(period)).replace(/ \d{4}$/, '') : '';
  return (
    <>
      <NotRead of={read} />
      <DataTable<Part>
        isPlain
        name={`money-by-${by}`}
        caption={by === 'store' ? 'Money by store' : 'Money by what was paid with'}
        columns={columnsOf(by === 'store' ? 'Store' : 'Paid with', all, days)}
        rows={parts}
        rowKey={({ id }) => id}
        empty={<p className="soft">No money moved in this period.</p>}
      />
    </>
  );
};

const partsOf = ({ stores, methods }: Statement) => ({
  store: stores.map((store) => ({
    ...store,
    id: store.storeId ?? '',
    name: store.storeName ?? 'No store',
  })),
  method: methods.map((each) => ({ ...each, id: each.method, name: methodWords[each.method] })),
});

/** What sold something before and nothing since is in it too. */
const compare = (parts: readonly Part[], earlier: readonly Part[] | undefined): readonly Part[] => {
  const soldBefore = new Map(earlier?.map(({ id, sold }) => [id, sold]));
  const none = { sold: 0, refunded: 0, reversed: 0, fees: 0, net: 0 };
  const gone = earlier?.filter(({ id, sold }) => sold && !parts.some((part) => part.id === id));
  return [...parts, ...(gone ?? []).map(({ id, name }) => ({ id, name, ...none }))].map((part) => ({
    ...part,
    before: earlier && (soldBefore.get(part.id) ?? 0),
  }));
};

const columnsOf = (title: string, all: number, days: string): readonly Column<Part>[] => [
  { id: 'name', title, isMain: true, cell: ({ name }) => name },
  {
    id: 'share',
    title: 'Share of sales',
    cell: ({ name, sold }) => (
      <span className={classes.share}>
        <meter min={0} max={all || 1} value={sold} aria-label={`Share of ${name}`} />
        <span className="figures">{writeShare(sold, all)}</span>
      </span>
    ),
  },
  { id: 'sold', title: 'Sold', isMain: true, pounds: ({ sold }) => sold },
  ...(days === ''
    ? []
    : [
        {
          id: 'before',
          title: 'Change',
          isRight: true,
          cell: ({ sold, before }: Part) => (
            <span>
              <Change {...{ days, from: before, to: sold }} />
            </span>
          ),
        },
      ]),
  { id: 'refunded', title: 'Refunded', pounds: ({ refunded }) => refunded || null },
  { id: 'reversed', title: 'Taken back', pounds: ({ reversed }) => reversed || null },
  { id: 'fees', title: 'Fees', pounds: ({ fees }) => fees || null },
  {
    id: 'net',
    title: 'Net',
    isRight: true,
    cell: ({ net }) => (
      <strong>
        <MoneyText pounds={net} />
      </strong>
    ),
  },
];
