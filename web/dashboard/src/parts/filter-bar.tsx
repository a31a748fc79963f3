import { Button, Group, Popover } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { Icon } from '../design/icon.tsx';
import classes from './filter-bar.module.css';

const FilterSheet = lazy(async () => ({
  default: (await import('./filter-sheet.tsx')).FilterSheet,
}));

type FilterBarProps = {
  /** Always in view: the search. */
  readonly first: ReactNode;
  readonly others: readonly ReactNode[];
  readonly onPhone: readonly ReactNode[];
  /** How many of the others are chosen. */
  readonly count: number;
  readonly onClear: () => void;
};

/** What closes the filters on a phone: "Show 290 payments". */
export const ShowWords = createContext('Show');

/** The fields of a list. On a phone all but the search are in a sheet, and its button counts what is set. */
export const FilterBar = (props: FilterBarProps): ReactNode => {
  const { first, others, onPhone, count, onClear } = props;
  const isNarrow = useIsNarrow();
  const [isOpen, { open, close }] = useDisclosure(false);
  const says = useContext(ShowWords);
  const [wasOpened, setWasOpened] = useState(false);
  if (!isNarrow || others.length < 2)
    return (
      <>
        {first}
        {others}
      </>
    );
  return (
    <>
      {first}
      <Button
        variant={count > 0 ? 'light' : 'default'}
        leftSection={<Icon name="filter" size={16} />}
        aria-haspopup="dialog"
        onClick={() => {
          setWasOpened(true);
          open();
        }}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      {wasOpened && (
        <Suspense>
          <FilterSheet isOpen={isOpen} count={count} says={says} onClose={close} onClear={onClear}>
            {others}
            {onPhone}
          </FilterSheet>
        </Suspense>
      )}
    </>
  );
};

export const useIsNarrow = (): boolean =>
  useMediaQuery('(width <= 40rem)', undefined, { getInitialValueInEffect: false }) ?? false;

type FilterGroupProps = {
  readonly label: string;
  /** What is chosen, in words; empty: nothing. */
  readonly says: string;
  readonly children: ReactNode;
};

/** Both ends of a range. On a phone they stand side by side among the other fields. */
export const FilterGroup = ({ label, says, children }: FilterGroupProps): ReactNode => {
  const isNarrow = useIsNarrow();
  if (isNarrow)
    return (
      <fieldset className={classes.pair}>
        <legend>{label}</legend>
        {children}
      </fieldset>
    );
  return (
    <Popover position="bottom-start" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button
          variant={says ? 'light' : 'default'}
          rightSection={<Icon name="chevronDown" size={14} />}
        >
          {says ? `${label}: ${says}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Group gap="sm" wrap="nowrap">
          {children}
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
};
