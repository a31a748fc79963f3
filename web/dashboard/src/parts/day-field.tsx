import { ActionIcon, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../design/icon.tsx';
import classes from './day-field.module.css';
import { typing } from './fields.ts';
import { parseDay, writeDay } from './times.ts';

type DayFieldProps = {
  /** "From day": its first word is in view. */
  readonly label: string;
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onDay: (day: string | undefined) => void;
};

/**
 * A day, written as everywhere: 28 Nov 2026. The browser's own field would write it by the browser's
 * language; of it only the calendar is used.
 */
export const DayField = ({ label, value, min, max, onDay }: DayFieldProps): ReactNode => {
  const [text, setText] = useState(value ? writeDay(value) : '');
  const calendar = useRef<HTMLInputElement>(null);
  useEffect(() => setText(value ? writeDay(value) : ''), [value]);
  const [isTyping, setIsTyping] = useState(false);
  const wrong = isTyping ? null : complaintOf(text, { min, max });
  const take = (typed: string): void => {
    setText(typed);
    if (typed.trim() === '') onDay(undefined);
    else if (!complaintOf(typed, { min, max })) onDay(parseDay(typed) ?? undefined);
  };
  return (
    <div className={classes.field}>
      <TextInput
        aria-label={label}
        placeholder="Any day"
        maxLength={20}
        leftSection={<span className={`soft ${classes.label}`}>{label.split(' ')[0]}</span>}
        leftSectionWidth="3rem"
        leftSectionPointerEvents="none"
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={`Calendar: ${label.split(' ')[0]}`}
            onClick={() => calendar.current?.showPicker()}
          >
            <Icon name="calendar" size={16} />
          </ActionIcon>
        }
        error={wrong}
        onFocus={() => setIsTyping(true)}
        onBlur={() => setIsTyping(false)}
        {...typing(text, take)}
      />
      <input
        ref={calendar}
        type="date"
        className={classes.calendar}
        tabIndex={-1}
        aria-hidden="true"
        {...typing(value ?? '', (day) => onDay(day || undefined))}
        min={min}
        max={max}
      />
    </div>
  );
};

type Range = Pick<DayFieldProps, 'min' | 'max'>;

const complaintOf = (text: string, { min, max }: Range): string | null => {
  if (text.trim() === '') return null;
  const day = parseDay(text);
  if (day === null) return 'A day, such as 28 Nov 2026';
  if (min && day < min) return `Not before ${writeDay(min)}`;
  return max && day > max ? `Not after ${writeDay(max)}` : null;
};
