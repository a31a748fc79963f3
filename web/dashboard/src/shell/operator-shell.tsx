import { Kbd, TextInput } from '@mantine/core';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { type Me, useMe } from '../call/use-operation.ts';
import { Icon } from '../design/icon.tsx';
import { FailureNotice, NotYet } from '../parts/failure-notice.tsx';
import { MissingPage } from '../parts/layout.tsx';
import { setClockAhead } from '../parts/times.ts';
import classes from './menu.module.css';
import { NeedsSecondFactor } from './needs-second-factor.tsx';
import { MenuList, PersonMenu, ShellFrame } from './shell-frame.tsx';

/** The frame of every page of the operator. To others there is nothing at these addresses. */
export const OperatorShell = (): ReactNode => {
  const { data: me, error, refetch } = useMe();
  setClockAhead(0);
  if (error && !me && !error.isSignedOut)
    return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!me)
    return (
      <ShellFrame environment={null} menu={() => null}>
        <NotYet of={{ error: null, refetch }} />
      </ShellFrame>
    );
  if (!me.isOperator) return <MissingPage />;
  return (
    <ShellFrame
      environment={null}
      find={<FindPayment />}
      often={items.slice(0, oftenUsed)}
      menu={(close) => <OperatorMenu me={me} onFollow={close} />}
    >
      <NeedsSecondFactor me={me} />
      <Outlet />
    </ShellFrame>
  );
};

const items = [
  { title: 'Merchants', path: '/operator/merchants', icon: 'store' },
  { title: 'Payments', path: '/operator/payments', icon: 'payments' },
  { title: 'Cases', path: '/operator/cases', icon: 'warning' },
  { title: 'Banks', path: '/operator/banks', icon: 'payouts' },
  { title: 'Queues', path: '/operator/queues', icon: 'rows' },
  { title: 'Jobs', path: '/operator/jobs', icon: 'job' },
  { title: 'Emails', path: '/operator/mails', icon: 'mail' },
  { title: 'Ledger', path: '/operator/ledger', icon: 'ledger' },
  { title: 'Audit', path: '/operator/audit', icon: 'audit' },
] as const;

const oftenUsed = 4;

/** From every page, by whatever a merchant or a payer names: by Ctrl K or by its field. */
const FindPayment = (): ReactNode => {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'k' || event.altKey || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const search = String(new FormData(event.currentTarget).get('search')).trim();
    void navigate({ to: '/operator/payments', search: { search } as never });
  };
  return (
    <search>
      <Link
        className={classes.toFind ?? ''}
        to={'/operator/payments' as string}
        aria-label="Search payments"
      >
        <Icon name="search" size={16} />
      </Link>
      <form className={classes.find} onSubmit={find}>
        <TextInput
          ref={field}
          name="search"
          type="search"
          maxLength={100}
          autoComplete="off"
          leftSection={<Icon name="search" size={14} />}
          rightSection={<Kbd size="xs">Ctrl K</Kbd>}
          rightSectionWidth="3.75rem"
          rightSectionPointerEvents="none"
          aria-label="Search payments by order, amount, reference or merchant"
          aria-keyshortcuts="Control+K"
          placeholder="Search payments"
        />
      </form>
    </search>
  );
};

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
