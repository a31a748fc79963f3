import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { parsePounds } from '../parse-pounds.ts';

type AmountFieldProps = {
  readonly label: string;
  /** In pounds. */
  readonly value: number | undefined;
  readonly onAmount: (pounds: number | undefined) => void;
};

const afterTypingMs = 400;

/** Pounds as people write them: 12, 12.5 or £1,234.50. */
export const AmountField = ({ label, value, onAmount }: AmountFieldProps): ReactNode => {
  const [text, setText] = useState(write(value));
  const pence = parsePounds(text);
  const isWrong = text.trim() !== '' && pence === null;
  const sent = useRef(value);
  const choose = useDebouncedCallback((pounds: number | undefined) => {
    sent.current = pounds;
    onAmount(pounds);
  }, afterTypingMs);
  // The way back changes the text. Our own amount, shown late, takes no digit that was typed since.
  useEffect(() => {
    if (value !== sent.current) setText(write(value));
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      maxLength={12}
      w="8.5rem"
      leftSection={<span className="soft">{label}</span>}
      leftSectionWidth="3.75rem"
      leftSectionPointerEvents="none"
      value={text}
      error={isWrong ? 'Pounds, such as 12.50' : undefined}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value;
        setText(typed);
        if (typed.trim() === '' || parsePounds(typed) !== null) choose(poundsOf(typed));
      }}
    />
  );
};

const poundsOf = (text: string): number | undefined => {
  const pence = parsePounds(text);
  return pence === null ? undefined : pence / 100;
};

const write = (pounds: number | undefined): string => (pounds === undefined ? '' : String(pounds));
