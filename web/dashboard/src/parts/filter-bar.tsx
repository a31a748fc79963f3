import { Button } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { Icon } from '../design/icon.tsx';
import classes from './filter-bar.module.css';

type FilterBarProps = {
  /** Always in view: the search. */
  readonly first: ReactNode;
  readonly others: readonly ReactNode[];
  /** How many of the others are chosen. */
  readonly count: number;
};

/** The fields of a list. On a phone all but the search are behind one button, which counts what is set. */
export const FilterBar = ({ first, others, count }: FilterBarProps): ReactNode => {
  const isNarrow = useMediaQuery('(width <= 40rem)', undefined, { getInitialValueInEffect: false });
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
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
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <fieldset id={id} aria-label="Filters" hidden={!isOpen} className={classes.fields}>
        {isOpen && others}
      </fieldset>
    </>
  );
};
