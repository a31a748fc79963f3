import type { ReactNode } from 'react';

export type Column<Row> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Money and counts. */
  readonly isRight?: boolean;
  /** Shown only when it is chosen. */
  readonly isExtra?: boolean;
  /** On a phone the first line of a row holds it. */
  readonly isMain?: boolean;
};

export type Pager = {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly isMinimum?: boolean;
  readonly onPage: (page: number) => void;
};

/** For lists that go on from their last row. */
export type Continued = {
  readonly hasMore: boolean;
  readonly hasBefore: boolean;
  readonly onMore: () => void;
  readonly onBefore: () => void;
};

export type DataTableProps<Row> = {
  /** The columns chosen for it are remembered under this name. */
  readonly name: string;
  /** Of the whole table, for readers of the screen. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined: not there yet. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Where a row leads, below `/dashboard`: '/m-1/sandbox/payments/p-1'. */
  readonly rowLink?: (row: Row) => string | undefined;
  readonly isLoading?: boolean;
  readonly failure?: Error | null;
  readonly onRetry?: () => void;
  readonly empty: ReactNode;
  /** Search and filters. The input with `data-search` is where / goes. */
  readonly toolbar?: ReactNode;
  readonly pager?: Pager | Continued;
  /** A short table within a card: no columns to choose, no frame of its own. */
  readonly isPlain?: boolean;
};
