import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment, type ReactNode, useRef } from 'react';
import classes from './data-table.module.css';
import { type CsvColumn, type CsvValue, csvPounds, csvTime } from './export-button.tsx';
import { type Failed, NotRead } from './failure-notice.tsx';
import { insteadOf, type Later } from './later.tsx';
import { LoadingRows } from './loading-rows.tsx';
import { writeCount, writeMilliseconds } from './numbers.ts';
import { describeStatus, StatusBadge, sentenceCase } from './status-badge.tsx';
import { type Order, type SortsBy, TableHead } from './table-head.tsx';
import { useTableKeys } from './table-keys.ts';
import { type Continued, type Pager, TablePager } from './table-pager.tsx';
import { type Choosable, useTableSettings } from './table-settings.tsx';
import { useDays, useFits } from './table-shape.ts';
import { TableTools } from './table-tools.tsx';
import { CopyText, DateText, MoneyText } from './texts.tsx';

/**
 * Rows of one kind: figures of one width, money at the right, columns to choose, two densities. j and
 * k go from row to row, Enter opens, / goes to the search.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>): ReactNode => {
  const { name, caption, columns, read, toolbar, totals, sum, pager, isPlain } = props;
  const rows = 'rows' in props ? props.rows : props.read.data?.data;
  const body = useRef<HTMLTableSectionElement>(null);
  const settings = useTableSettings(name);
  const shown = columns.filter((column) => settings.isShown(column));
  useTableKeys(body);
  const [dayOfRow, fits] = [useDays(columns, props.order), useFits()];
  const instead = insteadOfRows(props, rows);
  const count = props.isFinder ? undefined : rows?.length;
  return (
    <div
      className={`${classes.frame} ${isPlain ? classes.plain : ''}`}
      data-density={settings.density}
    >
      {!isPlain && <TableTools {...{ name, columns, settings, pager, toolbar, count }} />}
      {totals}
      {instead || (
        <div className={`card ${classes.scroll}`} ref={fits}>
          <table className={classes.table} aria-busy={read?.isPending || read?.isPlaceholderData}>
            <caption className="unseen">{caption}</caption>
            <thead>
              <tr>
                {shown.map((column) => (
                  <TableHead
                    key={column.id}
                    title={column.title}
                    isRight={isRight(column)}
                    sortsBy={column.sortsBy}
                    order={props.order}
                    isUnseen={isActs(column)}
                  />
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {rows ? (
                rows.map((row, at) => (
                  <Fragment key={props.rowKey(row)}>
                    {dayOfRow(row) !== dayOfRow(rows[at - 1]) && (
                      <tr className={classes.day}>
                        <th scope="rowgroup" colSpan={shown.length}>
                          {dayOfRow(row)}
                        </th>
                      </tr>
                    )}
                    <TableRow
                      row={row}
                      columns={shown}
                      link={props.rowLink?.(row)}
                      isBelowDay={dayOfRow(row) !== undefined}
                      later={props.later}
                    />
                  </Fragment>
                ))
              ) : (
                <LoadingRows columns={shown.length} />
              )}
            </tbody>
            <SumRow columns={shown} row={sum} />
          </table>
        </div>
      )}
      {pager && rows && <TablePager {...pager} shown={rows.length} />}
    </div>
  );
};

const insteadOfRows = <Row,>(
  { read, empty, isPlain }: DataTableProps<Row>,
  rows: readonly Row[] | undefined,
): ReactNode => {
  if (read?.error && !rows) return <NotRead of={read} />;
  return rows?.length === 0 && <div className={isPlain ? '' : 'card'}>{empty}</div>;
};

const isActs = ({ id }: Choosable): boolean => id === actsColumn.id;

export const actsColumn = { id: 'acts', title: 'Actions' } as const;

type SumRowProps<Row> = { readonly columns: readonly Column<Row>[]; readonly row: Row | undefined };

const SumRow = <Row,>({ columns, row }: SumRowProps<Row>): ReactNode =>
  row !== undefined && (
    <tfoot>
      <tr>
        {columns.map((column, position) => (
          <td
            key={column.id}
            data-title={column.title}
            data-right={isRight(column) || undefined}
            data-main={column.isMain || undefined}
          >
            {position === 0 ? 'Total' : cellOf(column, row)}
          </td>
        ))}
      </tr>
    </tfoot>
  );

type TableRowProps<Row> = {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly link: string | undefined;
  readonly isBelowDay: boolean;
  readonly later: Later | undefined;
};

/** The first cell is the link; a click anywhere in the row follows it, unless text is selected. */
const TableRow = <Row,>(props: TableRowProps<Row>): ReactNode => {
  const { row, columns, link, isBelowDay, later } = props;
  const navigate = useNavigate();
  const open = (target: EventTarget): void => {
    const isOwnControl = (target as Element).closest('a, button, input, label');
    if (link && !isOwnControl && !getSelection()?.toString()) void navigate({ to: link });
  };
  return (
    <tr data-link={link ? '' : undefined} onClick={({ target }) => open(target)}>
      {columns.map((column, position) => (
        <td
          key={column.id}
          data-title={column.title}
          data-right={isRight(column) || undefined}
          data-long={column.isLong || undefined}
          data-main={column.isMain || undefined}
          data-second={column.isSecond || undefined}
          data-time={column.sortsBy === 'time' || undefined}
          data-obvious={column.isObvious || column.isSecond || isActs(column) || undefined}
        >
          {link && position === 0 ? (
            <Link to={link} data-row-link="">
              {cellOf(column, row)}
            </Link>
          ) : (
            (later && column.isLater?.(row) && insteadOf(later)) ||
            orDash(cellOf(column, row, isBelowDay))
          )}
        </td>
      ))}
    </tr>
  );
};

const orDash = (content: ReactNode): ReactNode =>
  content === null || content === undefined || content === '' ? (
    <span className="soft">–</span>
  ) : (
    content
  );

type Cell<Row> =
  | { readonly cell: (row: Row) => ReactNode }
  | { readonly pounds: (row: Row) => number | null | undefined }
  /** As text: what the books say may be more than a number holds exactly. */
  | { readonly pence: (row: Row) => string | null }
  | { readonly at: (row: Row) => string | null | undefined }
  | { readonly status: (row: Row) => string }
  | { readonly code: (row: Row) => string }
  | { readonly count: (row: Row) => number }
  | { readonly ms: (row: Row) => number | null }
  /** A click copies it; `what` it is, where the title does not say so. */
  | { readonly copied: (row: Row) => string | null; readonly what?: string };

export type Column<Row> = Choosable &
  Cell<Row> & {
    /** Money, counts and times always are. */
    readonly isRight?: boolean;
    /** Sentences: they go on in the next line, and are never cut off. */
    readonly isLong?: boolean;
    /** On a phone the first line of a row holds it. */
    readonly isMain?: boolean;
    /** On a phone it needs no name before it. */
    readonly isObvious?: boolean;
    /** On a phone the second line begins with it, and ends with the time. */
    readonly isSecond?: boolean;
    /** Where the table can be put in order: by what its head does it. */
    readonly sortsBy?: SortsBy;
    /** In which rows it comes with the call `later` of the table. */
    readonly isLater?: (row: Row) => boolean;
    /** In a file, where the cell is more than text; null: no column of it. */
    readonly inFile?: ((row: Row) => string | null) | null;
  };

/** What a file holds of the columns: the same as the table shows, chosen or not. */
export const fileColumns = <Row,>(columns: readonly Column<Row>[]): readonly CsvColumn<Row>[] =>
  columns
    .filter(({ inFile }) => inFile !== null)
    .map((column) => ({ title: column.title, value: (row) => inFileOf(column, row) }));

const inFileOf = <Row,>(column: Column<Row>, row: Row): CsvValue => {
  if (column.inFile) return column.inFile(row);
  if ('pounds' in column) return csvPounds(column.pounds(row));
  if ('pence' in column) return csvPounds(poundsOf(column.pence(row)));
  if ('at' in column) return csvTime(column.at(row));
  if ('status' in column) return describeStatus(column.status(row)).words;
  if ('count' in column) return column.count(row);
  if ('ms' in column) return column.ms(row);
  if ('code' in column) return column.code(row);
  if ('copied' in column) return column.copied(row);
  const content = column.cell(row);
  return typeof content === 'string' || typeof content === 'number' ? content : null;
};

const isRight = <Row,>(column: Column<Row>): boolean =>
  column.isRight || ['pounds', 'pence', 'count', 'ms'].some((kind) => kind in column);

const cellOf = <Row,>(column: Column<Row>, row: Row, isBelowDay = false): ReactNode => {
  if ('cell' in column) return column.cell(row);
  if ('pounds' in column) return <MoneyText pounds={column.pounds(row)} />;
  if ('pence' in column) return <MoneyText pounds={poundsOf(column.pence(row))} />;
  if ('at' in column)
    return (
      <DateText isShort at={column.at(row)} isClock={isBelowDay && column.sortsBy === 'time'} />
    );
  if ('status' in column) return <StatusBadge status={column.status(row)} />;
  if ('count' in column) return <span className="figures">{writeCount(column.count(row))}</span>;
  if ('ms' in column) return writeMilliseconds(column.ms(row));
  if ('code' in column) return <span className="code">{column.code(row)}</span>;
  const { copied, title, what = title.toLowerCase() } = column;
  const text = copied(row);
  return text && <CopyText text={text} what={what} />;
};

const poundsOf = (pence: string | null): number | null =>
  pence === null ? null : Number(pence) / 100;

/** What a row is about, in pounds. */
export const amountColumn = <Row,>(
  pounds: (row: Row) => number | null | undefined,
): Column<Row> => ({ id: 'amount', title: 'Amount', isMain: true, sortsBy: 'amount', pounds });

export const timeColumn = <Row,>(at: (row: Row) => string | null | undefined): Column<Row> => ({
  ...{ id: 'created', title: 'When', sortsBy: 'time', at },
});

export const statusColumn: Column<{ readonly status: string }> = {
  ...{ id: 'status', title: 'Status', isMain: true, status: ({ status }) => status },
};

export const environmentColumn: Column<{ readonly environment: string | null }> = {
  id: 'environment',
  title: 'Environment',
  cell: ({ environment }) => environment && sentenceCase(environment),
};

type Read = Failed & { readonly isPending: boolean; readonly isPlaceholderData: boolean };

/** The call that the rows come from, or the rows: undefined where they are not there yet. */
type Source<Row> =
  | { readonly read: Read & { readonly data: { readonly data: readonly Row[] } | undefined } }
  | { readonly rows: readonly Row[] | undefined; readonly read?: Read };

type DataTableProps<Row> = Source<Row> & {
  /** The columns chosen for it are remembered under this name. */
  readonly name: string;
  /** Of the whole table, for readers of the screen. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Where a row leads, below `/dashboard`: '/m-1/sandbox/payments/p-1'. */
  readonly rowLink?: (row: Row) => string | undefined;
  readonly empty: ReactNode;
  readonly toolbar?: ReactNode;
  /** What all pages of it hold. */
  readonly totals?: ReactNode;
  /** Another call, which brings some columns after the rows. */
  readonly later?: Later | undefined;
  /** What its rows add up to. */
  readonly sum?: Row | undefined;
  readonly pager?: Pager | Continued;
  /** In which order its rows are, where the heads of its columns change it. */
  readonly order?: Order;
  /** Nothing is listed before something is searched for. */
  readonly isFinder?: boolean;
  /** A short table within a card: no columns to choose, no frame of its own. */
  readonly isPlain?: boolean;
};
