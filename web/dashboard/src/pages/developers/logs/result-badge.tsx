import type { ReactNode } from 'react';
import classes from '../../../parts/status-badge.module.css';

type ResultBadgeProps = { readonly status: number; readonly failure: string | null };

/** The status of a reply, with the name of the error. */
export const ResultBadge = ({ status, failure }: ResultBadgeProps): ReactNode => (
  <span className={classes.badge} data-tone={toneOf(status)}>
    {status} {failure ?? ''}
  </span>
);

const toneOf = (status: number): string => {
  if (status < 400) return 'good';
  return status < 500 ? 'warn' : 'bad';
};
