import { Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { FailureNotice } from '../failure-notice.tsx';
import { useIsLate } from '../use-is-late.ts';
import classes from './data-table.module.css';
import { type Continued, type Pager, TablePager } from './table-pager.tsx';
import { TableSettings, useTableSettings } from './table-settings.tsx';

/**
 * Rows of one kind: figures of one width, money at the right, columns to choose, two densities. j and
 * k go from row to row, Enter opens, / goes to the search.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>): ReactNode => {
  const { name, caption, columns, rows, failure, onRetry, empty, toolbar, pager, isPlain } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const settings = useTableSettings(name);
  const shown = columns.filter((column) => settings.isShown(column));
  useTableKeys(body);
  if (failure && !rows) return <FailureNotice failure={failure} onRetry={onRetry} />;
  const isEmpty = rows?.length === 0;
  return (
    <div
      className={`${classes.frame} ${isPlain ? classes.plain : ''}`}
      data-density={settings.density}
    >
      {!isPlain && (
        <div className={classes.toolbar}>
          <div className={classes.filters}>{toolbar}</div>
          <TableSettings columns={columns} settings={settings} />
        </div>
      )}
      {isEmpty ? (
        <div className={isPlain ? '' : 'card'}>{empty}</div>
      ) : (
        <div className={`card ${classes.scroll}`}>
          <table className={classes.table} aria-busy={props.isLoading}>
            <caption className="unseen">{caption}</caption>
            <thead>
              <tr>
                {shown.map(({ id, title, isRight }) => (
                  <th key={id} scope="col" data-right={isRight || undefined}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {rows ? (
                rows.map((row) => (
                  <TableRow
                    key={props.rowKey(row)}
                    row={row}
                    columns={shown}
                    link={props.rowLink?.(row)}
                  />
                ))
              ) : (
                <LoadingRows columns={shown.length} />
              )}
            </tbody>
          </table>
        </div>
      )}
      {pager && rows && <TablePager {...pager} shown={rows.length} />}
    </div>
  );
};

const skeletonRows = ['one', 'two', 'three', 'four', 'five', 'six'];

/** What is there within 300 ms needs no skeleton. */
const LoadingRows = ({ columns }: { readonly columns: number }): ReactNode => {
  const isLate = useIsLate(true);
  return skeletonRows.map((name) => (
    <tr key={name}>
      <td colSpan={columns}>
        <Skeleton height={14} radius="sm" visible={isLate} animate={isLate}>
          &nbsp;
        </Skeleton>
      </td>
    </tr>
  ));
};

type TableRowProps<Row> = {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly link: string | undefined;
};

/** The first cell is the link; a click anywhere in the row follows it, unless text is selected. */
const TableRow = <Row,>({ row, columns, link }: TableRowProps<Row>): ReactNode => {
  const navigate = useNavigate();
  const open = (target: EventTarget): void => {
    const isOwnControl = (target as Element).closest('a, button, input, label');
    if (link && !isOwnControl && !getSelection()?.toString()) void navigate({ to: link });
  };
  return (
    <tr data-link={link ? '' : undefined} onClick={({ target }) => open(target)}>
      {columns.map(({ id, title, cell, isRight, isMain }, position) => (
        <td
          key={id}
          data-title={title}
          data-right={isRight || undefined}
          data-main={isMain || undefined}
        >
          {link && position === 0 ? (
            <Link to={link} data-row-link="">
              {cell(row)}
            </Link>
          ) : (
            orDash(cell(row))
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

/** j and k go to the next and the previous row, / to the search of the page. */
const useTableKeys = (body: RefObject<HTMLTableSectionElement | null>): void => {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const wanted = keys[event.key]?.(body.current);
      if (!wanted) return;
      event.preventDefault();
      wanted.focus();
      wanted.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [body]);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [role=dialog]') !== null;

const neighbour =
  (step: number) =>
  (body: HTMLElement | null): HTMLElement | null => {
    const links = [...(body?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const row = document.activeElement?.closest('tr');
    const position = links.findIndex((link) => row?.contains(link));
    return links[position + step] ?? (position < 0 ? (links[0] ?? null) : null);
  };

const keys: Readonly<Record<string, (body: HTMLElement | null) => HTMLElement | null>> = {
  j: neighbour(1),
  k: neighbour(-1),
  '/': () => document.querySelector<HTMLElement>('[data-search]'),
};

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

type DataTableProps<Row> = {
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
