import { Button, Checkbox, Kbd, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Environment } from '../call/tenant.ts';
import { Icon } from '../design/icon.tsx';
import { choicesOf, readSearch, type Search } from './filters.ts';

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

type ChoiceMenuProps<Value extends string> = {
  readonly label: string;
  /** Of each choice. */
  readonly words: Readonly<Record<Value, string>>;
  readonly chosen: readonly Value[];
  readonly onChoose: (chosen: readonly Value[]) => void;
};

/** Several of a list, behind a button that says which. */
export const ChoiceMenu = <Value extends string>(props: ChoiceMenuProps<Value>): ReactNode => {
  const { label, words, chosen, onChoose } = props;
  const [first] = chosen;
  const more = chosen.length > 1 ? ` +${chosen.length - 1}` : '';
  return (
    <Popover position="bottom-start" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button
          variant={first && words[first] ? 'light' : 'default'}
          rightSection={<Icon name="chevronDown" size={14} />}
        >
          {first && words[first] ? `${label}: ${words[first]}${more}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap={8}>
          {choicesOf(words).map((value) => (
            <Checkbox
              key={value}
              size="sm"
              label={words[value]}
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) =>
                onChoose(
                  currentTarget.checked
                    ? [...chosen, value]
                    : chosen.filter((each) => each !== value),
                )
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};

type OneChoiceProps<Value extends string> = Pick<ChoiceMenuProps<Value>, 'label' | 'words'> & {
  readonly chosen: Value | undefined;
  readonly onChoose: (chosen: Value | undefined) => void;
};

/** At most one of a list: another takes its place. */
export const OneChoice = <Value extends string>(props: OneChoiceProps<Value>): ReactNode => {
  const { chosen, onChoose, ...menu } = props;
  return (
    <ChoiceMenu
      {...menu}
      chosen={chosen ? [chosen] : []}
      onChoose={(several) => onChoose(several.at(-1))}
    />
  );
};

type ChoiceBarProps<Value extends string> = Pick<ChoiceMenuProps<Value>, 'label' | 'words'> & {
  readonly chosen: Value;
  readonly onChoose: (chosen: Value) => void;
};

/** Always one of a few, all in view. */
export const ChoiceBar = <Value extends string>(props: ChoiceBarProps<Value>): ReactNode => (
  <SegmentedControl
    aria-label={props.label}
    value={props.chosen}
    onChange={(value) => props.onChoose(value as Value)}
    data={choicesOf(props.words).map((value) => ({ value, label: props.words[value] }))}
  />
);

export const environmentWords: Readonly<Record<Environment, string>> = {
  sandbox: 'Sandbox',
  production: 'Production',
};

/** Of a page of the operator that shows one environment. */
export const readEnvironment = (search: Search) => ({
  environment: readSearch.choice(search, 'environment', environmentWords),
});

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

export type ChosenPeriod = { readonly from?: string | undefined; readonly to?: string | undefined };

type PeriodFieldsProps = {
  readonly period: ChosenPeriod;
  readonly onChange: (changes: ChosenPeriod) => void;
};

/** The first and the last day of a list: neither goes past the other. */
export const PeriodFields = ({ period: { from, to }, onChange }: PeriodFieldsProps): ReactNode => (
  <>
    <DayField label="From day" value={from} max={to} onDay={(day) => onChange({ from: day })} />
    <DayField label="To day" value={to} min={from} onDay={(day) => onChange({ to: day })} />
  </>
);
