import { ActionIcon, Popover, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from '../design/icon.tsx';
import classes from './more-acts.module.css';

export type Act = {
  readonly says: string;
  /** What it is for, below it. */
  readonly about?: string;
  /** It takes something away. */
  readonly isDangerous?: boolean;
  readonly onChoose: () => void;
};

type ActListProps = {
  readonly acts: readonly Act[];
  /** The button that opens it. */
  readonly button: (open: () => void) => ReactNode;
};

/** One of several acts, behind one button. */
export const ActList = ({ acts, button }: ActListProps): ReactNode => {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>{button(toggle)}</Popover.Target>
      <Popover.Dropdown p={4}>
        {acts.map(({ says, about, isDangerous, onChoose }) => (
          <UnstyledButton
            key={says}
            className={classes.act ?? ''}
            c={isDangerous ? 'var(--bad)' : undefined}
            onClick={() => {
              close();
              onChoose();
            }}
          >
            {says}
            {about && <span className="soft">{about}</span>}
          </UnstyledButton>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
};

type MoreActsProps = Pick<ActListProps, 'acts'> & {
  /** Of what: "More of Roastery". */
  readonly label: string;
};

/** What is seldom done with a row; what is done often stands beside it. */
export const MoreActs = ({ label, acts }: MoreActsProps): ReactNode =>
  acts.length > 0 && (
    <ActList
      acts={acts}
      button={(open) => (
        <ActionIcon variant="default" c="var(--ink)" size={26} aria-label={label} onClick={open}>
          <Icon name="more" size={16} />
        </ActionIcon>
      )}
    />
  );
