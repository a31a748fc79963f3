import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { SideDialog } from './dialog.tsx';
import classes from './filter-sheet.module.css';

type FilterSheetProps = {
  readonly isOpen: boolean;
  readonly count: number;
  /** On the button that closes it. */
  readonly says: string;
  readonly onClose: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
};

/** The filters of a phone: what is chosen takes effect at once, below the sheet. */
export const FilterSheet = (props: FilterSheetProps): ReactNode => {
  const { isOpen, count, says, onClose, onClear, children } = props;
  return (
    <SideDialog
      opened={isOpen}
      onClose={onClose}
      position="bottom"
      size="auto"
      title="Filters"
      classNames={{ content: classes.sheet ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close the filters' }}
    >
      <fieldset aria-label="Filters" className={classes.fields}>
        {children}
      </fieldset>
      <Group wrap="nowrap" gap="sm" className={classes.foot ?? ''}>
        <Button variant="default" disabled={count === 0} onClick={onClear}>
          Clear
        </Button>
        <Button px="xs" flex={1} onClick={onClose}>
          {says}
        </Button>
      </Group>
    </SideDialog>
  );
};
