import type { sorts } from '@florin/contract';
import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import classes from './table-head.module.css';

type Sort = (typeof sorts)[number];

export type SortsBy = 'amount' | 'time';

export type Order = {
  /** Undefined: the newest first. */
  readonly chosen: Sort | undefined;
  readonly choose: (sort: Sort | undefined) => void;
};

const sortsOf = { amount: ['LARGEST', 'SMALLEST'], time: ['NEWEST', 'OLDEST'] } as const;

type TableHeadProps = {
  readonly title: string;
  readonly isRight: boolean;
  readonly sortsBy: SortsBy | undefined;
  readonly order: Order | undefined;
  /** What is below says it. */
  readonly isUnseen: boolean;
};

/** The head of a column. Pressed, it sorts: down, then up, then as at first. */
export const TableHead = (props: TableHeadProps): ReactNode => {
  const { title, isRight, sortsBy, order, isUnseen } = props;
  const right = isRight || undefined;
  if (!sortsBy || !order)
    return (
      <th scope="col" data-right={right}>
        {isUnseen ? <span className="unseen">{title}</span> : title}
      </th>
    );
  const { state, next } = stepOf(sortsBy, order.chosen ?? 'NEWEST');
  return (
    <th scope="col" data-right={right} aria-sort={state}>
      <UnstyledButton
        className={classes.sort ?? ''}
        onClick={() => order.choose(next === 'NEWEST' ? undefined : next)}
      >
        {title}
        <Icon name="chevronDown" size={12} />
      </UnstyledButton>
      <span className={classes.word}>{title}</span>
    </th>
  );
};

type Step = { readonly state: 'ascending' | 'descending' | 'none'; readonly next: Sort };

const stepOf = (by: SortsBy, chosen: Sort): Step => {
  const [down, up] = sortsOf[by];
  if (chosen === down) return { state: 'descending', next: up };
  if (chosen === up) return { state: 'ascending', next: 'NEWEST' };
  return { state: 'none', next: down };
};
