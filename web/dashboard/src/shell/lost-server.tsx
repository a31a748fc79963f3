import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { askNow } from '../call/connection.ts';
import { dayOf, realNow, writeShortTime, writeSpell } from '../parts/times.ts';
import classes from './shell-frame.module.css';

const countEveryMs = 20_000;

/** Since when, and a way to ask again at once. */
export const Lost = ({ since }: { readonly since: Date }): ReactNode => {
  const [today, setToday] = useState(realNow);
  useEffect(() => {
    const counting = setInterval(() => setToday(realNow()), countEveryMs);
    return () => clearInterval(counting);
  }, []);
  return (
    <div className={classes.lost}>
      <p>
        The server has not answered for {writeSpell(since, today)}, since{' '}
        {writeShortTime(since, today, dayOf(since) === dayOf(today))}. What you see may be out of
        date, and updates as soon as it answers. If this lasts, check your connection, then contact
        whoever runs Florin for you.
      </p>
      <Button variant="default" onClick={() => void askNow()}>
        Try now
      </Button>
    </div>
  );
};
