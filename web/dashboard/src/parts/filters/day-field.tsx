import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

type DayFieldProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onDay: (day: string | undefined) => void;
};

/** A day of the calendar, by the browser's own field. */
export const DayField = ({ label, value, min, max, onDay }: DayFieldProps): ReactNode => (
  <TextInput
    type="date"
    aria-label={label}
    title={label}
    w="8.75rem"
    value={value ?? ''}
    min={min}
    max={max}
    onChange={({ currentTarget }) => onDay(currentTarget.value || undefined)}
  />
);
