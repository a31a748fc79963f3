import type { sorts } from '@florin/contract';
import { NativeSelect, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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

/**
 * In which order a list is read: the heads of its table change it, on a phone a field. The address does not
 * name the one that it has at first.
 */
export const sortedBy = {
  orderBy: {
    isOnPhone: true,
    read: (search, name) => readSearch.choice(search, name, sortWords),
    field: ({ chosen = 'NEWEST', choose }) => (
      <NativeSelect
        label="Sort"
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
  /** At the end of their line. */
  readonly beside?: ReactNode;
};

const tones = ['good', 'wait', 'warn', 'bad', 'calm'];
const first = ['COMPLETED', 'PENDING', 'DISPUTED', 'PART_REFUNDED', 'REFUNDED'];

/** What one looks for, then by how good it is. */
const rankOf = ({ status }: { readonly status: string }): number => {
  const at = first.indexOf(status);
  return at < 0 ? first.length + tones.indexOf(describeStatus(status).tone) : at;
};

const inOrder = (one: { readonly status: string }, other: { readonly status: string }): number =>
  rankOf(one) - rankOf(other);

/** As many have one line in a window of 1280. */
const shownMax = 4;

/** What is filtered adds up to, on all pages together: how many, and pounds by status. */
export const ListTotals = (added: ListTotalsProps): ReactNode => (
  <div className={classes.line}>
    <Totals {...added} />
    {added.beside}
  </div>
);

type FoundProps = { readonly total: number | undefined; readonly one: string };

/** The same of a list whose rows have nothing to add up. */
export const Found = ({ total, one }: FoundProps): ReactNode =>
  Boolean(total) && (
    <div className={classes.line}>
      <dl className={classes.totals}>
        <div>
          <dt>Found</dt>
          <dd>{countOf(total ?? 0, one)}</dd>
        </div>
      </dl>
    </div>
  );

const Totals = ({ of: totals, one, words = {} }: ListTotalsProps): ReactNode => {
  const [isAll, setAll] = useState(false);
  if (!totals || totals.count === 0) return null;
  const { count, isMinimum, byStatus } = totals;
  const hidden = isAll ? 0 : Math.max(byStatus.length - shownMax, 0);
  return (
    <>
      <dl className={classes.totals} aria-label={`Totals of these ${one}s`}>
        <div>
          <dt>{isMinimum ? 'At least' : 'Found'}</dt>
          <dd>{countOf(count, one)}</dd>
        </div>
        {byStatus
          .toSorted(inOrder)
          .slice(0, byStatus.length - hidden)
          .map((row) => (
            <div key={row.status}>
              <dt>{words[row.status] ?? describeStatus(row.status).words}</dt>
              <dd>
                {writePounds(row.amount)} <span className="soft">({writeCount(row.count)})</span>
              </dd>
            </div>
          ))}
      </dl>
      {isMinimum && <p className="soft">Choose a shorter period to add up everything.</p>}
      {hidden > 0 && (
        <UnstyledButton className={classes.more ?? ''} onClick={() => setAll(true)}>
          {hidden} more
        </UnstyledButton>
      )}
    </>
  );
};
