import { Menu, UnstyledButton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage, type Environment, type Tenant } from '../call/tenant.ts';
import type { Me, Membership } from '../call/use-me.ts';
import { Icon } from '../design/icon.tsx';
import classes from './tenant-switch.module.css';

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
export const TenantSwitch = (props: TenantSwitchProps): ReactNode => {
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
            aria-label={`${membership.businessName}: change the business`}
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
