import { StatusBadge } from '../status-badge.tsx';
import { MoneyText } from '../texts.tsx';
import type { Column } from './data-table.tsx';

/** What a row is about, in pounds. */
export const amountColumn = <Row,>(
  pounds: (row: Row) => number | null | undefined,
): Column<Row> => ({
  id: 'amount',
  title: 'Amount',
  isRight: true,
  isMain: true,
  cell: (row) => <MoneyText pounds={pounds(row)} />,
});

export const statusColumn: Column<{ readonly status: string }> = {
  id: 'status',
  title: 'Status',
  isMain: true,
  cell: ({ status }) => <StatusBadge status={status} />,
};
