import { useLayoutEffect, useRef } from 'react';
import type { Column } from './data-table.tsx';
import { useIsNarrow } from './filter-bar.tsx';
import type { Order } from './table-head.tsx';
import { dayOf, writeDay } from './times.ts';

/** On a phone rows in the order of time stand below their day. */
export const useDays = <Row>(columns: readonly Column<Row>[], order: Order | undefined) => {
  const isNarrow = useIsNarrow();
  const times = columns.find(({ sortsBy }) => sortsBy === 'time');
  const isByTime = /^(NEWEST|OLDEST)$/.test(order?.chosen ?? 'NEWEST');
  return (row: Row | undefined): string | undefined => {
    if (row === undefined || !isNarrow || !isByTime || !times || !('at' in times)) return undefined;
    const at = times.at(row);
    return at ? writeDay(dayOf(new Date(at))) : undefined;
  };
};

/** A table that fits needs no bar to scroll by, and its head stays in view. */
export const useFits = () => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const see = (): void => {
      current.dataset.fits = String(current.scrollWidth <= current.clientWidth);
    };
    see();
    const observer = new ResizeObserver(see);
    observer.observe(current);
    return () => observer.disconnect();
  });
  return box;
};
