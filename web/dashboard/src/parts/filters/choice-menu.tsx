import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../design/icon.tsx';

type Choice = { readonly value: string; readonly label: string };

type ChoiceMenuProps<Value extends string> = {
  readonly label: string;
  readonly choices: readonly (Choice & { readonly value: Value })[];
  readonly chosen: readonly Value[];
  readonly onChoose: (chosen: readonly Value[]) => void;
};

/** Several of a list, behind a button that says which. */
export const ChoiceMenu = <Value extends string>(props: ChoiceMenuProps<Value>): ReactNode => {
  const { label, choices, chosen, onChoose } = props;
  const first = choices.find(({ value }) => value === chosen[0]);
  const more = chosen.length > 1 ? ` +${chosen.length - 1}` : '';
  return (
    <Popover position="bottom-start" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button
          variant={first ? 'light' : 'default'}
          rightSection={<Icon name="chevronDown" size={14} />}
        >
          {first ? `${label}: ${first.label}${more}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap={8}>
          {choices.map(({ value, label: words }) => (
            <Checkbox
              key={value}
              size="sm"
              label={words}
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
