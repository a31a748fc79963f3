import { Kbd, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../../design/icon.tsx';

type SearchFieldProps = {
  /** What it looks through: "Search by order, customer, amount or id". */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
};

const afterTypingMs = 250;

/** Searches while it is typed. / goes here from anywhere on the page, Escape empties it. */
export const SearchField = ({ label, value, onSearch }: SearchFieldProps): ReactNode => {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const search = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    onSearch(typed);
  }, afterTypingMs);
  // The way back changes the text. Our own search, shown late, takes no letter that was typed since.
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      data-search=""
      maxLength={100}
      miw="min(16rem, 100%)"
      flex="1 1 16rem"
      maw="24rem"
      leftSection={<Icon name="search" size={16} />}
      rightSection={<Kbd size="xs">/</Kbd>}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value.trim());
      }}
    />
  );
};
