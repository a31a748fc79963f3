import type { ReactNode } from 'react';
import { describeStatus } from './describe-status.ts';
import classes from './status-badge.module.css';

/** A status of the wire in plain words, with a colour that says the same. */
export const StatusBadge = ({ status }: { readonly status: string }): ReactNode => {
  const { words, tone } = describeStatus(status);
  return (
    <span className={classes.badge} data-tone={tone}>
      {words}
    </span>
  );
};
