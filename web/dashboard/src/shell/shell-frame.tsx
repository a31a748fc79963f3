import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Environment } from '../call/tenant.ts';
import { Icon } from '../design/icon.tsx';
import classes from './shell-frame.module.css';

type ShellFrameProps = {
  /** Null for the operator, whose pages hold both. */
  readonly environment: Environment | null;
  readonly menu: (close: () => void) => ReactNode;
  readonly children: ReactNode;
};

const bars = {
  sandbox: 'Sandbox: no real money moves',
  production: 'Production: real money',
  operator: 'Operator of this installation',
} as const;

/** Bar, menu and page. On a phone the menu opens from the bar. */
export const ShellFrame = ({ environment, menu, children }: ShellFrameProps): ReactNode => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const isNarrow = useMediaQuery('(width <= 56rem)', undefined, { getInitialValueInEffect: false });
  const kind = environment ?? 'operator';
  return (
    <div className={classes.frame} data-kind={kind}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <header className={classes.bar}>
        {isNarrow && (
          <ActionIcon
            variant="transparent"
            c="inherit"
            size={44}
            aria-label="Menu"
            aria-expanded={isOpen}
            onClick={open}
          >
            <Icon name="menu" size={22} />
          </ActionIcon>
        )}
        <p>{bars[kind]}</p>
      </header>
      {isNarrow ? (
        <Drawer
          opened={isOpen}
          onClose={close}
          size="17rem"
          title="Florin"
          closeButtonProps={{ 'aria-label': 'Close the menu' }}
        >
          {menu(close)}
        </Drawer>
      ) : (
        <aside className={classes.menu}>{menu(close)}</aside>
      )}
      <main id="page" tabIndex={-1} className={classes.page}>
        {children}
      </main>
    </div>
  );
};
