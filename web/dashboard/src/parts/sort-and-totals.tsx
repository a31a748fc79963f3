import type { sorts } from '@florin/contract';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { typing } from './fields.ts';
import { readSearch } from './filters.ts';
import { countOf, writeCount, writePounds } from './numbers.ts';
import classes from './sort-and-totals.module.css';
import { describeStatus } from './status-badge.tsx';
import type { Filter } from './use-filters.tsx';

type Sort = (typeof sorts)[number];

const sortWords: Readonly<Record<Sort, string>> = {
  NEWEST: 'Newest first',
  OLDEST: 'Oldest first',
  LARGEST: 'Largest first',
  SMALLEST: 'Smallest first',
};

/** In which order a list is read. The address does not name the one that it has at first. */
export const sortedBy = {
  orderBy: {
    read: (search, name) => readSearch.choice(search, name, sortWords),
    field: ({ chosen = 'NEWEST', choose }) => (
      <NativeSelect
        aria-label="Sort"
        data={Object.entries(sortWords).map(([value, label]) => ({ value, label }))}
        {...typing(chosen, (sort) => choose(sort === 'NEWEST' ? undefined : (sort as Sort)))}
      />
    ),
  } satisfies Filter<Sort>,
};

type Added = { readonly count: number; readonly amount: number };

type ListTotalsProps = {
  /** Undefined: not known yet. */
  readonly of:
    | (Added & {
        readonly isMinimum: boolean;
        readonly byStatus: readonly (Added & { readonly status: string })[];
      })
    | undefined;
  /** What is counted: "payment". */
  readonly one: string;
  /** Where its statuses have words of their own. */
  readonly words?: Readonly<Record<string, string>>;
};

const tones = ['good', 'wait', 'warn', 'bad', 'calm'];
const rankOf = ({ status }: { readonly status: string }): number =>
  tones.indexOf(describeStatus(status).tone);

/** What was paid is what one looks for. */
const goodFirst = (one: { readonly status: string }, other: { readonly status: string }): number =>
  rankOf(one) - rankOf(other);

/** What is filtered adds up to, on all pages together: how many, and pounds by status. */
export const ListTotals = ({ of: totals, one, words = {} }: ListTotalsProps): ReactNode => {
  if (!totals || totals.count === 0) return null;
  const { count, isMinimum, byStatus } = totals;
  return (
    <dl className={classes.totals} aria-label={`Totals of these ${one}s`}>
      <div>
        <dt>{isMinimum ? 'At least' : 'Found'}</dt>
        <dd>{countOf(count, one)}</dd>
      </div>
      {byStatus.toSorted(goodFirst).map((row) => (
        <div key={row.status}>
          <dt>{words[row.status] ?? describeStatus(row.status).words}</dt>
          <dd>
            {writePounds(row.amount)} <span className="soft">({writeCount(row.count)})</span>
          </dd>
        </div>
      ))}
      {isMinimum && <p className="soft">Choose fewer days to add up all.</p>}
    </dl>
  );
};
