import { Button, Checkbox, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../design/icon.tsx';
import { ticking, typing } from './fields.ts';
import classes from './filter-bar.module.css';
import { useIsNarrow } from './filter-bar.tsx';
import { choicesOf } from './filters.ts';
import { parsePounds } from './numbers.ts';

type SearchFieldProps = {
  /** What it looks through: "Search by order, customer, amount or id". */
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
};

const afterTypingMs = 250;

/** What is typed into a filter takes effect a little later. */
const useTyped = (value: string, onSend: (text: string) => void) => {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((wanted: string) => {
    sent.current = wanted;
    onSend(wanted);
  }, afterTypingMs);
  // The way back changes the text. Our own value, shown late, takes no letter that was typed since.
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  return { text, setText, send };
};

/** Searches while it is typed. Escape empties it. */
export const SearchField = ({ label, value, onSearch }: SearchFieldProps): ReactNode => {
  const { text, setText, send } = useTyped(value, onSearch);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={100}
      // On a phone what does not fit beside it goes below.
      miw={useIsNarrow() ? '11rem' : '6.5rem'}
      flex="1 1 7rem"
      maw="24rem"
      leftSection={<Icon name="search" size={16} />}
      {...typing(text, (typed) => {
        setText(typed);
        send(typed.trim());
      })}
    />
  );
};

type AmountFieldProps = {
  readonly label: string;
  /** In pounds. */
  readonly value: number | undefined;
  readonly onAmount: (pounds: number | undefined) => void;
};

/** Pounds as people write them: 12, 12.5 or £1,234.50. */
export const AmountField = ({ label, value, onAmount }: AmountFieldProps): ReactNode => {
  const { text, setText, send } = useTyped(value === undefined ? '' : String(value), (pounds) =>
    onAmount(pounds === '' ? undefined : Number(pounds)),
  );
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      maxLength={12}
      miw="8.5rem"
      leftSection={<span className={`soft ${classes.inside}`}>{label}</span>}
      leftSectionWidth="3.75rem"
      leftSectionPointerEvents="none"
      error={poundsIn(text) === null && 'Pounds, such as 12.50'}
      {...typing(text, (typed) => {
        const pounds = poundsIn(typed);
        setText(typed);
        if (pounds !== null) send(pounds);
      })}
    />
  );
};

/** As the address holds them; null where it is no amount. */
const poundsIn = (text: string): string | null => {
  const pence = parsePounds(text);
  if (pence !== null) return String(pence / 100);
  return text.trim() === '' ? '' : null;
};

type ChoiceMenuProps<Value extends string> = {
  readonly label: string;
  /** Of each choice. */
  readonly words: Readonly<Record<Value, string>>;
  readonly chosen: readonly Value[];
  readonly onChoose: (chosen: readonly Value[]) => void;
  /** Round, and closed by its choice. */
  readonly isOfOne?: boolean;
};

/** Several of a list, behind a button that says which. */
export const ChoiceMenu = <Value extends string>(props: ChoiceMenuProps<Value>): ReactNode => {
  const { label, words, chosen, onChoose, isOfOne } = props;
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const choices = choicesOf(words);
  const says = sayChosen(choices.flatMap((value) => (chosen.includes(value) ? words[value] : [])));
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      position="bottom-start"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          onClick={toggle}
          variant={says ? 'light' : 'default'}
          rightSection={<Icon name="chevronDown" size={14} />}
        >
          {says ? `${label}: ${says}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap={8}>
          {choices.map((value) => (
            <Checkbox
              key={value}
              size="sm"
              radius={isOfOne ? 'xl' : undefined}
              // Escape closes the list alone, not the sheet around it.
              data-mantine-stop-propagation="true"
              label={words[value]}
              {...ticking(chosen.includes(value), (checked) => {
                onChoose(checked ? [...chosen, value] : chosen.filter((each) => each !== value));
                if (isOfOne) close();
              })}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};

const saidMax = 1;

/** The first by its name, which ends where a colon explains it: "Paid +2". */
const sayChosen = (chosen: readonly string[]): string => {
  const names = chosen.map((words) => words.replace(/:.*/, ''));
  const more = names.length > saidMax ? ` +${names.length - saidMax}` : '';
  return names.slice(0, saidMax).join(', ') + more;
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
      isOfOne
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

export type ChosenPeriod = { readonly from?: string | undefined; readonly to?: string | undefined };
