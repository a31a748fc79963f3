import type { ReactNode } from 'react';
import { describeStatus } from './describe-status.ts';
import classes from './status-badge.module.css';

type StatusBadgeProps = {
  readonly status: string;
  /** Where the object has words of its own for it. */
  readonly words?: string;
};

/** A status of the wire in plain words, with a colour that says the same. */
export const StatusBadge = ({ status, words }: StatusBadgeProps): ReactNode => {
  const described = describeStatus(status);
  return (
    <span className={classes.badge} data-tone={described.tone}>
      {words ?? described.words}
    </span>
  );
};
