import type { ReactNode } from 'react';
import { Icon, type IconName } from '../design/icon.tsx';
import classes from './empty-state.module.css';

type EmptyStateProps = {
  readonly title: string;
  readonly icon?: IconName;
  /** What would be here, and how it comes to be. */
  readonly children: ReactNode;
};

/** Teaches what belongs here, instead of an empty table. */
export const EmptyState = ({ title, icon = 'search', children }: EmptyStateProps): ReactNode => (
  <div className={classes.state}>
    <Icon name={icon} size={32} />
    <h2>{title}</h2>
    <div className="soft">{children}</div>
  </div>
);
