import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Me, useMe } from '../call/use-me.ts';
import { Icon, type IconName } from '../design/icon.tsx';
import { MissingPage } from '../pages/missing-page.tsx';
import { FailureNotice } from '../parts/failure-notice.tsx';
import classes from './menu.module.css';
import { PersonMenu } from './person-menu.tsx';
import { ShellFrame } from './shell-frame.tsx';

/** The frame of every page of the operator. To others there is nothing at these addresses. */
export const OperatorShell = (): ReactNode => {
  const { data: me, error, refetch } = useMe();
  if (error && !me && !error.isSignedOut)
    return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!me) return null;
  if (!me.isOperator) return <MissingPage />;
  return (
    <ShellFrame environment={null} menu={(close) => <OperatorMenu me={me} onFollow={close} />}>
      <Outlet />
    </ShellFrame>
  );
};

type Item = { readonly title: string; readonly path: string; readonly icon: IconName };

const items: readonly Item[] = [
  { title: 'Merchants', path: '/operator/merchants', icon: 'customers' },
  { title: 'Cases', path: '/operator/cases', icon: 'warning' },
  { title: 'Banks', path: '/operator/banks', icon: 'payouts' },
  { title: 'Queues', path: '/operator/queues', icon: 'rows' },
  { title: 'Jobs', path: '/operator/jobs', icon: 'settings' },
  { title: 'Mails', path: '/operator/mails', icon: 'external' },
  { title: 'Ledger', path: '/operator/ledger', icon: 'columns' },
  { title: 'Audit', path: '/operator/audit', icon: 'operator' },
];

type OperatorMenuProps = { readonly me: Me; readonly onFollow: () => void };

const OperatorMenu = ({ me, onFollow }: OperatorMenuProps): ReactNode => (
  <div className={classes.panel}>
    <nav aria-label="Pages" className={classes.menu}>
      <MenuList title="The installation" items={items} onFollow={onFollow} />
      {me.memberships.length > 0 && (
        <MenuList
          title="Elsewhere"
          items={[{ title: 'Your businesses', path: '/', icon: 'home' }]}
          onFollow={onFollow}
        />
      )}
    </nav>
    <PersonMenu me={me} />
  </div>
);

type MenuListProps = Pick<OperatorMenuProps, 'onFollow'> & {
  readonly title: string;
  readonly items: readonly Item[];
};

const MenuList = ({ title, items: listed, onFollow }: MenuListProps): ReactNode => (
  <section aria-label={title}>
    <h2>{title}</h2>
    <ul>
      {listed.map((item) => (
        <li key={item.path}>
          <Link
            to={item.path}
            onClick={onFollow}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false }}
          >
            <Icon name={item.icon} />
            {item.title}
          </Link>
        </li>
      ))}
    </ul>
  </section>
);
