import { ActionIcon, Checkbox, Popover, SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import { ticking } from './fields.ts';

export type Choosable = {
  readonly id: string;
  readonly title: string;
  /** Shown only when it is chosen. */
  readonly isExtra?: boolean;
};

export type Settings = {
  readonly density: 'roomy' | 'dense';
  readonly setDensity: (density: 'roomy' | 'dense') => void;
  readonly isShown: (column: Choosable) => boolean;
  readonly show: (column: Choosable, isShown: boolean) => void;
};

type TableSettingsProps = {
  readonly columns: readonly Choosable[];
  readonly settings: Settings;
};

export const TableSettings = ({ columns, settings }: TableSettingsProps): ReactNode => (
  <Popover position="bottom-end" withinPortal={false} trapFocus>
    <Popover.Target>
      <ActionIcon variant="default" size={36} aria-label="Columns and density">
        <Icon name="columns" />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown aria-label="Columns and density">
      <SegmentedControl
        fullWidth
        size="xs"
        mb="sm"
        aria-label="Density"
        value={settings.density}
        onChange={(value) => settings.setDensity(value === 'dense' ? 'dense' : 'roomy')}
        data={[
          { value: 'roomy', label: 'Comfortable' },
          { value: 'dense', label: 'Compact' },
        ]}
      />
      {columns.slice(1).map((column) => (
        <Checkbox
          key={column.id}
          size="sm"
          mb={6}
          label={column.title}
          {...ticking(settings.isShown(column), (checked) => settings.show(column, checked))}
        />
      ))}
    </Popover.Dropdown>
  </Popover>
);

type Chosen = Readonly<Record<string, boolean>>;

/** Remembered in this browser: the columns of each table, and one density for all. */
export const useTableSettings = (name: string): Settings => {
  const [density, setDensity] = useLocalStorage<'roomy' | 'dense'>({
    key: 'florin-density',
    defaultValue: 'roomy',
    getInitialValueInEffect: false,
  });
  const [chosen, setChosen] = useLocalStorage<Chosen>({
    key: `florin-columns-${name}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  return {
    density,
    setDensity,
    isShown: ({ id, isExtra }) => chosen[id] ?? !isExtra,
    show: ({ id }, isShown) => setChosen({ ...chosen, [id]: isShown }),
  };
};
