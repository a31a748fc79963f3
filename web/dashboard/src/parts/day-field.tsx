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
  /** In a form: its label stands above it. */
  readonly isLabelled?: boolean;
  readonly onDay: (day: string | undefined) => void;
};

/**
 * A day, written as everywhere: 28 Nov 2026. The browser's own field would write it by the browser's
 * language; of it only the calendar is used.
 */
export const DayField = (props: DayFieldProps): ReactNode => {
  const { label, value, min, max, isLabelled, onDay } = props;
  const [first] = label.split(' ');
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
        {...(isLabelled
          ? { label, placeholder: 'Choose a date' }
          : {
              'aria-label': label,
              placeholder: 'Any date',
              leftSection: <span className={`soft ${classes.label}`}>{first}</span>,
              leftSectionWidth: '3.375rem',
              leftSectionPointerEvents: 'none' as const,
            })}
        maxLength={20}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={`Calendar: ${isLabelled ? label : first}`}
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
  if (day === null) return 'Enter a date such as 28 Nov 2026';
  if (min && day < min) return `Not before ${writeDay(min)}`;
  return max && day > max ? `Not after ${writeDay(max)}` : null;
};
