import type { ReactNode } from 'react';
import { lostSince } from '../call/connection.ts';
import { useSignal } from '../call/use-signal.ts';
import { writeTime } from '../parts/times.ts';
import classes from './shell-frame.module.css';

/** The shell stays without the server; what it shows then is marked as old. */
export const ConnectionNotice = (): ReactNode => {
  const since = useSignal(lostSince);
  return (
    <div role="status">
      {since && (
        <p className={classes.lost}>
          The server has not answered since {writeTime(since)}. What you see is from before, and is
          read again as soon as it answers.
        </p>
      )}
    </div>
  );
};
