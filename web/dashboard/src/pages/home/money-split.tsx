import type { ReplyOf } from '@florin/contract';
import { getStatement } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { writeShare } from '../../parts/numbers.ts';
import { MoneyText } from '../../parts/texts.tsx';
import type { Period } from '../../parts/times.ts';
import { methodWords } from './method-words.ts';
import classes from './money-split.module.css';

type Statement = ReplyOf<typeof getStatement>;
type Amounts = Pick<Statement, 'sold' | 'refunded' | 'reversed' | 'fees' | 'net'>;
type Part = Amounts & { readonly name: string };

type MoneySplitProps = {
  readonly by: 'store' | 'method';
  readonly period: Period;
  readonly storeId: string | undefined;
};

/** Which store, or which way to pay, brought how much of it: bars in a table. */
export const MoneySplit = ({ by, period, storeId }: MoneySplitProps): ReactNode => {
  const read = useOperation(getStatement, { query: { ...period, ...(storeId && { storeId }) } });
  const parts = read.data && partsOf(read.data)[by];
  const all = parts?.reduce((sum, { sold }) => sum + sold, 0) ?? 0;
  return (
    <>
      <NotRead of={read} />
      <DataTable<Part>
        isPlain
        name={`money-by-${by}`}
        caption={by === 'store' ? 'Money by store' : 'Money by what was paid with'}
        columns={columnsOf(by === 'store' ? 'Store' : 'Paid with', all)}
        rows={parts}
        rowKey={({ name }) => name}
        empty={<p className="soft">No money moved in these days.</p>}
      />
    </>
  );
};

const partsOf = ({ stores, methods }: Statement) => ({
  store: stores.map((store) => ({ ...store, name: store.storeName ?? 'No store' })),
  method: methods.map((each) => ({ ...each, name: methodWords[each.method] })),
});

const columnsOf = (title: string, all: number): readonly Column<Part>[] => [
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
