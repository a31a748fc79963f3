import type { ReactNode } from 'react';
import classes from './detail-list.module.css';

type DetailListProps = {
  /** A value of null is left out. */
  readonly of: readonly (readonly [title: string, value: ReactNode])[];
};

/** Facts about one object, each with its name. */
export const DetailList = ({ of }: DetailListProps): ReactNode => (
  <dl className={classes.list}>
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
