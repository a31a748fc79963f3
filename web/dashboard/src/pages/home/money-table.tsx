import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { MoneyText } from '../../parts/texts.tsx';
import type { Stretch } from './group-days.ts';

const money = (
  id: 'sold' | 'refunded' | 'reversed' | 'fees' | 'paidOut' | 'before',
  title: string,
): Column<Stretch> => ({
  ...{ id, title, isRight: true },
  cell: (row) => <MoneyText pounds={row[id] || null} />,
});

const storeColumns: readonly Column<Stretch>[] = [
  { id: 'day', title: 'Days', isMain: true, cell: ({ title }) => title },
  money('sold', 'Sold'),
  money('before', 'Sold before'),
  money('refunded', 'Refunded'),
  money('reversed', 'Taken back'),
  money('fees', 'Fees'),
];
const allColumns: readonly Column<Stretch>[] = [...storeColumns, money('paidOut', 'Paid out')];

type MoneyTableProps = {
  readonly stretches: readonly Stretch[];
  /** What is paid out is of the business. */
  readonly isOfStore: boolean;
  readonly linkOf: (stretch: Stretch) => string;
};

/** The figures of the chart. */
export const MoneyTable = ({ stretches, isOfStore, linkOf }: MoneyTableProps): ReactNode => {
  const hasBefore = stretches.some(({ before }) => before !== undefined);
  const columns = (isOfStore ? storeColumns : allColumns).filter(
    ({ id }) => id !== 'before' || hasBefore,
  );
  const withMoney = stretches.filter((row) => columns.slice(1).some(({ id }) => row[id as 'sold']));
  return (
    <DataTable<Stretch>
      isPlain
      name="money-days"
      caption="Money by day, the newest first"
      columns={columns}
      rows={[...withMoney].reverse()}
      rowKey={({ from }) => from}
      rowLink={linkOf}
      empty={<p className="soft">No money moved in this period.</p>}
    />
  );
};
