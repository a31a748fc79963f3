import { Skeleton } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { FailureNotice } from '../failure-notice.tsx';
import { useIsLate } from '../use-is-late.ts';
import classes from './data-table.module.css';
import { TablePager } from './table-pager.tsx';
import { TableRow } from './table-row.tsx';
import { TableSettings, useTableSettings } from './table-settings.tsx';
import type { Column, DataTableProps } from './table-views.ts';
import { useTableKeys } from './use-table-keys.ts';

export type { Column } from './table-views.ts';

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
          <TableSettings columns={columns as readonly Column<never>[]} settings={settings} />
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
