import { Menu, Skeleton, UnstyledButton } from '@mantine/core';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { addressOfPage, type Environment, lastTenant, type Tenant } from '../call/tenant.ts';
import {
  type Me,
  type Membership,
  useMe,
  useMembership,
  useTenant,
} from '../call/use-operation.ts';
import { Icon } from '../design/icon.tsx';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { useIsLate } from '../parts/is-late.ts';
import { EmptyState } from '../parts/layout.tsx';
import { DateText } from '../parts/texts.tsx';
import { isClockAhead, now, setClockAhead, writeTime } from '../parts/times.ts';
import { FindAnything } from './find-anything.tsx';
import menuClasses from './menu.module.css';
import { navigation } from './navigation.ts';
import { MenuList, PersonMenu, ShellFrame } from './shell-frame.tsx';
import classes from './tenant-shell.module.css';

// Few ever need one of these.
const NeedsSecondFactor = lazy(async () => ({
  default: (await import('./needs-second-factor.tsx')).NeedsSecondFactor,
}));
const ProveAddress = lazy(async () => ({
  default: (await import('./prove-address.tsx')).ProveAddress,
}));

/** The frame of every page of a merchant, for its members. */
export const TenantShell = (): ReactNode => {
  const tenant = useTenant();
  const membership = useMembership();
  const { data: me, error, refetch } = useMe();
  const isMember = membership !== null && tenant !== null;
  const aheadMs = tenant?.environment === 'sandbox' ? (membership?.sandboxAheadMs ?? 0) : 0;
  // Before anything below it says what is now.
  setClockAhead(aheadMs);
  useEffect(() => {
    if (isMember) lastTenant.write(tenant);
  }, [isMember, tenant]);
  if (!tenant) return null;
  if (error && !me && !error.isSignedOut)
    return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!me) return <WaitingShell environment={tenant.environment} />;
  if (!membership?.environments.includes(tenant.environment)) return <NoMember />;
  const suspension = membership.suspensions.find(
    ({ environment }) => environment === tenant.environment,
  );
  return (
    <ShellFrame
      environment={tenant.environment}
      of={membership.businessName}
      clock={isClockAhead() ? writeTime(now()) : undefined}
      menu={(close) => (
        <MenuPanel tenant={tenant} me={me} membership={membership} onFollow={close} />
      )}
      find={<FindAnything />}
      often={oftenUsed(tenant, membership)}
    >
      {!me.emailVerified && (
        <Suspense>
          <ProveAddress me={me} />
        </Suspense>
      )}
      {me.needsSecondFactor && (
        <Suspense>
          <NeedsSecondFactor me={me} />
        </Suspense>
      )}
      {suspension && (
        <SuspendedNotice
          suspension={suspension}
          businessName={membership.businessName}
          operatorName={me.operatorName}
        />
      )}
      {/* Nothing typed for one business is left for another. */}
      <Outlet key={`${tenant.merchantId} ${tenant.environment}`} />
    </ShellFrame>
  );
};

const linesOfMenu = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** Until it is known who is there, the frame stands, with what is loading in its place. */
const WaitingShell = ({ environment }: Pick<Tenant, 'environment'>): ReactNode => {
  const isLate = useIsLate(true);
  const line = (name: string): ReactNode => (
    <Skeleton key={name} height={18} mb="md" radius="sm" visible={isLate} animate={isLate}>
      &nbsp;
    </Skeleton>
  );
  return (
    <ShellFrame
      environment={environment}
      menu={() => <div className={menuClasses.panel}>{linesOfMenu.map(line)}</div>}
    >
      <div aria-busy="true">
        <p className="unseen" role="status">
          Loading
        </p>
        {linesOfMenu.slice(0, 5).map(line)}
      </div>
    </ShellFrame>
  );
};

/** The same for who was removed and for who never was there: nothing is said of the business. */
const NoMember = (): ReactNode => (
  <EmptyState title="You are not a member here" icon="warning">
    You do not belong to a business at this address, or your membership has ended. An owner can
    invite you again. <Link to="/">Go to your businesses</Link>
  </EmptyState>
);

type MenuPanelProps = {
  readonly tenant: Tenant;
  readonly me: Me;
  readonly membership: Membership;
  readonly onFollow: () => void;
};

const MenuPanel = ({ tenant, me, membership, onFollow }: MenuPanelProps): ReactNode => (
  <div className={menuClasses.panel}>
    <TenantSwitch tenant={tenant} me={me} membership={membership} onFollow={onFollow} />
    <nav aria-label="Pages" className={menuClasses.menu}>
      {permittedGroups(membership).map(({ title, items, folds }) => (
        <MenuList
          key={title}
          title={title}
          folds={folds}
          items={items.map((item) => ({ ...item, path: addressOfPage(tenant, item.path) }))}
          onFollow={onFollow}
        />
      ))}
    </nav>
    <a
      className={menuClasses.help}
      href="/docs/guides/quick-start"
      target="_blank"
      rel="noreferrer"
    >
      Help and guides
    </a>
    <PersonMenu me={me} />
  </div>
);

const permittedGroups = ({ permissions }: Membership) =>
  navigation
    .map(({ title, folds, items }) => ({
      ...{ title, folds },
      items: items.filter(({ permission }) => permissions.includes(permission)),
    }))
    .filter(({ items }) => items.length > 0);

const oftenMax = 4;
const often = ['home', 'payments', 'till', 'refunds', 'customers'];

/** Of those that this person may open. */
const oftenUsed = (tenant: Tenant, membership: Membership) => {
  const items = permittedGroups(membership).flatMap((group) => group.items);
  return often
    .flatMap((path) => items.filter((item) => item.path === path))
    .slice(0, oftenMax)
    .map((item) => ({ ...item, path: addressOfPage(tenant, item.path) }));
};

type TenantSwitchProps = {
  readonly tenant: Tenant;
  readonly me: Me;
  readonly membership: Membership;
  readonly onFollow: () => void;
};

const environments: readonly { readonly id: Environment; readonly title: string }[] = [
  { id: 'sandbox', title: 'Sandbox' },
  { id: 'production', title: 'Production' },
];

/** Which business, and whether its money is real. The other environment opens on the same list. */
const TenantSwitch = (props: TenantSwitchProps): ReactNode => {
  const { tenant, me, membership, onFollow } = props;
  const navigate = useNavigate();
  const section = /^\/[^/]+\/[^/]+\/([^/?]+)/.exec(location.pathname.replace(/^\/dashboard/, ''));
  const open = (merchant: Membership): void => {
    const isThere = merchant.environments.includes(tenant.environment);
    const environment = isThere ? tenant.environment : (merchant.environments[0] ?? 'sandbox');
    onFollow();
    void navigate({ to: addressOfPage({ merchantId: merchant.merchantId, environment }, 'home') });
  };
  return (
    <div className={classes.switch}>
      <Menu position="bottom-start" width="target">
        <Menu.Target>
          <UnstyledButton
            className={classes.name ?? ''}
            aria-label={`${membership.businessName}: switch business`}
          >
            <span>{membership.businessName}</span>
            <Icon name="chevronDown" size={16} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {me.memberships.map((each) => (
            <Menu.Item key={each.merchantId} onClick={() => open(each)}>
              {each.businessName}
            </Menu.Item>
          ))}
          {me.isOperator && (
            <Menu.Item
              leftSection={<Icon name="operator" size={16} />}
              onClick={() => void navigate({ to: '/operator/merchants' as string })}
            >
              The installation
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ul className={classes.environments} aria-label="Environment">
        {environments
          .filter(({ id }) => membership.environments.includes(id))
          .map(({ id, title }) => (
            <li key={id}>
              <Link
                to={addressOfPage({ ...tenant, environment: id }, section?.[1] ?? 'home')}
                onClick={onFollow}
                data-environment={id}
                aria-current={id === tenant.environment ? 'true' : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
      </ul>
    </div>
  );
};

type SuspendedNoticeProps = {
  readonly suspension: Membership['suspensions'][number];
  readonly businessName: string;
  readonly operatorName: string;
};

/** On each page of the business: what stands still, why, what works, and who can end it. */
const SuspendedNotice = (props: SuspendedNoticeProps): ReactNode => {
  const { suspension, businessName, operatorName } = props;
  const where = suspension.environment === 'sandbox' ? 'the sandbox' : 'production';
  return (
    <aside className={classes.notice} aria-label="Suspension">
      <p className={classes.title}>
        <Icon name="warning" />
        <strong>
          {businessName} is suspended in {where} since <DateText at={suspension.suspendedAt} />
        </strong>
      </p>
      <p className={classes.reason}>{suspension.reason}</p>
      <p>
        <b>Stopped:</b> new payment requests and payment links, payments that payers begin, charges
        of saved cards, new secrets and bank links. Payouts are held.
      </p>
      <p>
        <b>Still works:</b> what is under way is finished. You can refund, capture, cancel, read and
        export.
      </p>
      <p>Contact {operatorName}, who runs this installation: only they can resume it.</p>
    </aside>
  );
};
