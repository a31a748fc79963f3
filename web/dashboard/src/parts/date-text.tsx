import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { now } from '../call/now.ts';
import { writeDay, writeTime, writeTimeInWords } from './write-time.ts';

type DateTextProps = {
  /** ISO 8601, as on the wire. */
  readonly at: string | null | undefined;
  /** A day of the calendar, without a time. */
  readonly isDay?: boolean;
};

/** A time in its shortest form; a hover says it in words. */
export const DateText = ({ at, isDay = false }: DateTextProps): ReactNode => {
  if (!at) return <span className="soft">–</span>;
  if (isDay) return <time dateTime={at.slice(0, 10)}>{writeDay(at)}</time>;
  const time = new Date(at);
  return (
    <Tooltip label={writeTimeInWords(time, now())} openDelay={250}>
      <time className="figures" dateTime={at}>
        {writeTime(time, now())}
      </time>
    </Tooltip>
  );
};
