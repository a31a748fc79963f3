import { UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import { writePounds } from './numbers.ts';
import classes from './texts.module.css';
import {
  isClockAhead,
  now,
  writeDay,
  writeShortTime,
  writeTime,
  writeTimeInWords,
} from './times.ts';

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
  /** Where several follow each other within a minute. */
  readonly hasSeconds?: boolean;
  /** In a table: this year needs no number. */
  readonly isShort?: boolean;
  /** Below its day. */
  readonly isClock?: boolean;
};

/** A time in its shortest form; a hover says it in words. */
export const DateText = (props: DateTextProps): ReactNode => {
  const { at, isDay = false, hasSeconds = false, isShort = false, isClock = false } = props;
  if (!at) return <span className="soft">–</span>;
  if (isDay) return <time dateTime={at.slice(0, 10)}>{writeDay(at)}</time>;
  const time = new Date(at);
  return (
    <time className="figures" dateTime={at} title={writeTimeInWords(time, now())}>
      {isShort ? writeShortTime(time, now(), isClock) : writeTime(time, hasSeconds)}
    </time>
  );
};

/** For pages that show real time in a sandbox too: who did what, and when. */
export const RealTimes = (): ReactNode =>
  isClockAhead() && <span className={classes.tag}>Real time, not sandbox time</span>;

type CopyTextProps = {
  readonly text: string;
  /** What it is, for readers of the screen: "payment id". */
  readonly what: string;
  /** What is shown, where it is not the whole text. */
  readonly shown?: ReactNode;
  /** Of the merchant's own: it has the letters of the text around it. */
  readonly isPlain?: boolean;
};

/** A text that a click copies. */
export const CopyText = ({ text, what, shown = text, isPlain }: CopyTextProps): ReactNode => {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <UnstyledButton
      className={classes.button ?? ''}
      aria-label={`Copy ${what} ${text}`}
      title={`Copy ${what}`}
      data-copied={clipboard.copied || undefined}
      onClick={(event) => {
        event.stopPropagation();
        clipboard.copy(text);
      }}
    >
      <span className={isPlain ? 'whole' : 'code'}>{shown}</span>
      <Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />
      <span role="status" className={clipboard.copied ? classes.copied : 'unseen'}>
        {clipboard.copied ? 'Copied' : ''}
      </span>
    </UnstyledButton>
  );
};
