import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { focusPage } from './focus-page.ts';
import classes from './held-rows.module.css';
import { countOf } from './numbers.ts';

type Read<Row> = {
  readonly data: { readonly data: readonly Row[] } | undefined;
  readonly isPlaceholderData: boolean;
  readonly isFetchedAfterMount: boolean;
};

type Held<Row> = {
  readonly subject: string;
  readonly rows: readonly Row[];
  /** From before this page was opened: what is read now takes their place. */
  readonly isOld: boolean;
};

/**
 * Rows of a list that is read again and again. Each changes where it stands; what came since is counted, and
 * moves the others when somebody asks for it.
 */
export const useHeldRows = <Row,>(
  { data, isPlaceholderData, isFetchedAfterMount }: Read<Row>,
  /** What is listed: other rows take the place of these at once. */
  subject: string,
  keyOf: (row: Row) => string,
) => {
  const [held, hold] = useState<Held<Row> | null>(null);
  const read = data?.data;
  const isHeld = held?.subject === subject && held.rows.length > 0 && !held.isOld;
  const begin = (rows: readonly Row[]) => hold({ subject, rows, isOld: !isFetchedAfterMount });
  if (!read || isPlaceholderData || !isHeld) {
    const isHeldAlready =
      held?.rows === read && held?.subject === subject && held.isOld !== isFetchedAfterMount;
    if (read && !isPlaceholderData && !isHeldAlready) begin(read);
    return { rows: read, came: 0, show: () => undefined };
  }
  return {
    ...holdRows(held.rows, read, keyOf),
    show: (): void => {
      begin(read);
      focusPage();
      scrollTo({ top: 0 });
    },
  };
};

/** The rows in view as they are now, without those that left, and how many are not among them. */
export const holdRows = <Row,>(
  held: readonly Row[],
  read: readonly Row[],
  keyOf: (row: Row) => string,
) => {
  const now = new Map(read.map((row) => [keyOf(row), row]));
  const known = new Set(held.map(keyOf));
  // Below the last known row stands what comes after it: it moves nothing.
  const last = read.findLastIndex((row) => known.has(keyOf(row)));
  const above = last < 0 ? read : read.slice(0, last);
  const came = above.filter((row) => !known.has(keyOf(row))).length;
  if (came === 0) return { rows: read, came };
  // What came has moved as many from the end of what is read: those are there still.
  const moved = held.length - came;
  return { rows: held.flatMap((row, at) => now.get(keyOf(row)) ?? (at < moved ? [] : row)), came };
};

type CameProps = {
  readonly count: number;
  /** "payment" */
  readonly one: string;
  readonly onShow: () => void;
};

/** Readers of the screen hear it. */
export const Came = ({ count, one, onShow }: CameProps): ReactNode => (
  <div role="status" className={classes.came}>
    {count > 0 && (
      <Button size="compact-sm" onClick={onShow}>
        {countOf(count, `new ${one}`)}: show
      </Button>
    )}
  </div>
);
