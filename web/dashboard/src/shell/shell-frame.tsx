import { signOut } from '@florin/contract/dashboard/index.ts';
import { ActionIcon, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { callOperation } from '../call/call-operation.ts';
import { signInAddress } from '../call/session.ts';
import type { Environment } from '../call/tenant.ts';
import type { Me } from '../call/use-operation.ts';
import { Icon, type IconName } from '../design/icon.tsx';
import { SideDialog } from '../parts/dialog.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import personClasses from './person-menu.module.css';
import narrowClasses from './person-shell.module.css';
import classes from './shell-frame.module.css';

type ShellFrameProps = {
  /** Null for the operator, whose pages hold both. */
  readonly environment: Environment | null;
  readonly menu: (close: () => void) => ReactNode;
  /** The business: where the menu is closed the bar names it. */
  readonly of?: string;
  /** What it is by the clock of a sandbox that is ahead. */
  readonly clock?: string | undefined;
  /** At the end of the bar. */
  readonly find?: ReactNode;
  /** What a phone has in reach of the thumb, beside the menu. */
  readonly often?: readonly Item[];
  readonly children: ReactNode;
};

const bars = {
  sandbox: ['Sandbox', ': no real money moves'],
  production: ['Production', ': real money'],
  operator: ['Operator', ' of this installation'],
} as const;

/** Bar, menu and page. On a phone the menu opens from the bar. */
export const ShellFrame = (props: ShellFrameProps): ReactNode => {
  const { environment, menu, of, clock, find, often = [], children } = props;
  const { pathname } = useLocation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const isNarrow = useMediaQuery('(width <= 56rem)', undefined, { getInitialValueInEffect: false });
  const kind = environment ?? 'operator';
  const hasBottom = isNarrow && often.length > 0;
  const isOften = often.some(({ path }) => isAt(path, pathname));
  return (
    <div className={classes.frame} data-kind={kind} data-bottom={hasBottom || undefined}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <header className={classes.bar}>
        {isNarrow && !hasBottom && (
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
        <p>
          <span aria-hidden="true" className={classes.brand} />
          {isNarrow && of && <span className={classes.of}>{of}</span>}
          <span>
            {bars[kind][0]}
            <span className={classes.more}>{bars[kind][1]}</span>
          </span>
          {clock && (
            <span className={classes.clock}>
              <span className={classes.more}>Its clock says </span>
              {clock}
            </span>
          )}
        </p>
        {find}
      </header>
      {isNarrow ? (
        <SideDialog
          opened={isOpen}
          onClose={close}
          size="17rem"
          title="Florin"
          closeButtonProps={{ 'aria-label': 'Close the menu' }}
        >
          {menu(close)}
        </SideDialog>
      ) : (
        <aside className={classes.menu}>{menu(close)}</aside>
      )}
      <main id="page" tabIndex={-1} className={classes.page}>
        <ConnectionNotice />
        {children}
      </main>
      {hasBottom && (
        <nav className={classes.bottom} aria-label="Often used">
          {often.map(({ title, path, icon }) => (
            <Link
              key={path}
              to={path}
              activeProps={{ 'aria-current': 'page' }}
              activeOptions={{ includeSearch: false, exact: isAlone(path) }}
            >
              <Icon name={icon} size={22} />
              {title}
            </Link>
          ))}
          <button
            type="button"
            aria-expanded={isOpen}
            aria-current={!isOften || undefined}
            onClick={open}
          >
            <Icon name="menu" size={22} />
            Menu
          </button>
        </nav>
      )}
    </div>
  );
};

/** Statements lie below Home, and are in the menu. */
const isAlone = (path: string): boolean => path.endsWith('/home');

const isAt = (path: string, pathname: string): boolean =>
  pathname === path || (!isAlone(path) && pathname.startsWith(`${path}/`));

type Item = { readonly title: string; readonly path: string; readonly icon: IconName };

type MenuListProps = {
  readonly title: string;
  readonly items: readonly Item[];
  /** Its icon, where the group is closed until it is wanted. */
  readonly folds?: { readonly icon: IconName } | undefined;
  readonly onFollow: () => void;
};

export const MenuList = ({ title, items, folds, onFollow }: MenuListProps): ReactNode => {
  const { pathname } = useLocation();
  const box = useRef<HTMLDetailsElement>(null);
  const here = itemOf(items, pathname);
  const isHere = here !== undefined;
  // Opened below the edge of a low window, it is brought into view.
  useEffect(() => {
    if (isHere) box.current?.scrollIntoView({ block: 'nearest' });
  }, [isHere]);
  const list = (
    <ul>
      {items.map((item) => (
        <li key={item.path}>
          <Link
            to={item.path}
            onClick={onFollow}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false, exact: item !== here }}
          >
            <Icon name={item.icon} />
            {item.title}
          </Link>
        </li>
      ))}
    </ul>
  );
  if (!folds)
    return (
      <section aria-label={title}>
        <h2>{title}</h2>
        {list}
      </section>
    );
  return (
    <details ref={box} open={isHere}>
      <summary>
        <Icon name={folds.icon} />
        <span>{title}</span>
        <Icon name="chevronDown" size={16} />
      </summary>
      {list}
    </details>
  );
};

/** The nearest: statements lie below Home, and have an item of their own. */
const itemOf = <Kind extends { readonly path: string }>(
  items: readonly Kind[],
  pathname: string,
): Kind | undefined =>
  items
    .filter(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

const schemes = [
  { id: 'auto', title: 'System colours' },
  { id: 'light', title: 'Light' },
  { id: 'dark', title: 'Dark' },
] as const;

/** The person at the foot of the menu: sign-in, light or dark, sign out. */
export const PersonMenu = ({ me }: { readonly me: Me }): ReactNode => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    // Where the server is out of reach the page still shows nothing more.
    await callOperation(signOut, {}, { tenant: null }).catch(() => undefined);
    client.clear();
    location.assign(signInAddress);
  };
  return (
    <Menu position="top-start" width={230}>
      <Menu.Target>
        <UnstyledButton className={personClasses.person ?? ''}>
          <Icon name="account" />
          <span>{me.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void navigate({ to: '/account' as string })}>
          Your sign-in
        </Menu.Item>
        <Menu.Divider />
        {schemes.map(({ id, title }) => (
          <Menu.Item
            key={id}
            role="menuitemradio"
            aria-checked={colorScheme === id}
            leftSection={<Icon name={colorScheme === id ? 'check' : 'sun'} size={16} />}
            onClick={() => setColorScheme(id)}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** The frame of pages without a merchant: one narrow card. */
type PersonShellProps = {
  /** Of cards of its own. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

export const PersonShell = ({ isWide, children }: PersonShellProps): ReactNode => (
  <div className={narrowClasses.frame}>
    <header className={narrowClasses.brand}>
      <span aria-hidden="true" />
      Florin
    </header>
    <main
      id="page"
      tabIndex={-1}
      className={isWide ? narrowClasses.wide : `card ${narrowClasses.main}`}
    >
      {children}
    </main>
  </div>
);
