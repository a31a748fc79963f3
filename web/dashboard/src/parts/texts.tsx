import { Tooltip, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import { writePounds } from './numbers.ts';
import classes from './texts.module.css';
import { now, writeDay, writeTime, writeTimeInWords } from './times.ts';

type MoneyTextProps = {
  /** Pounds, as on the wire. */
  readonly pounds: number | null | undefined;
  /** A dash where there is none. */
  readonly isSoft?: boolean;
};

/** An amount in figures of one width, so that columns of them line up. */
export const MoneyText = ({ pounds, isSoft = false }: MoneyTextProps): ReactNode => (
  <span className={isSoft || pounds == null ? 'figures soft' : 'figures'}>
    {pounds == null ? '–' : writePounds(pounds)}
  </span>
);

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
        {writeTime(time)}
      </time>
    </Tooltip>
  );
};

type CopyTextProps = {
  readonly text: string;
  /** What it is, for readers of the screen: "payment id". */
  readonly what: string;
  /** What is shown, where it is not the whole text. */
  readonly shown?: ReactNode;
};

/** A text that a click copies. */
export const CopyText = ({ text, what, shown = text }: CopyTextProps): ReactNode => {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : `Copy ${what}`} openDelay={250}>
      <UnstyledButton
        className={classes.button ?? ''}
        aria-label={`Copy ${what} ${text}`}
        onClick={(event) => {
          event.stopPropagation();
          clipboard.copy(text);
        }}
      >
        <span className="code">{shown}</span>
        <Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />
        <span role="status" className="unseen">
          {clipboard.copied ? 'Copied' : ''}
        </span>
      </UnstyledButton>
    </Tooltip>
  );
};
