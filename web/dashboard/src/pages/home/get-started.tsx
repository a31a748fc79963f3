import type { Permission } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMembership, useTenant } from '../../call/use-operation.ts';
import { Icon, type IconName } from '../../design/icon.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import classes from './get-started.module.css';

type Way = {
  readonly title: string;
  readonly says: string;
  readonly path: string;
  readonly icon: IconName;
  readonly permission: Permission;
  readonly isOfSandbox?: boolean;
};

const ways: readonly Way[] = [
  {
    ...{ title: 'Make a test payment', says: 'Act as the customer, then see what you would see.' },
    ...{ path: 'developers/sandbox', icon: 'sandbox', permission: 'sandbox.use' },
    isOfSandbox: true,
  },
  {
    ...{ title: 'Create a payment link', says: 'Send it, print it, or show its QR code.' },
    ...{ path: 'links', icon: 'links', permission: 'links.write' },
  },
  {
    ...{ title: 'Open the till', says: 'Enter an amount; the customer scans a code.' },
    ...{ path: 'till', icon: 'till', permission: 'till.use' },
  },
  {
    ...{ title: 'See what production needs', says: 'What is done, and what is missing.' },
    ...{ path: 'settings/go-live', icon: 'check', permission: 'settings.read' },
  },
];

/** In place of figures that are all nothing. */
export const GetStarted = (): ReactNode => {
  const address = useAddress();
  const permissions = useMembership()?.permissions ?? [];
  const isSandbox = useTenant()?.environment === 'sandbox';
  const open = ways.filter(
    ({ permission, isOfSandbox }) =>
      permissions.includes(permission) && (isSandbox || !isOfSandbox),
  );
  return (
    <SectionCard title="Get started">
      <p className="soft">Your sales and your money will appear here.</p>
      <ul className={classes.ways}>
        {open.map(({ title, says, path, icon }) => (
          <li key={path}>
            <Link to={address(path)}>
              <Icon name={icon} size={22} />
              <span>
                <strong>{title}</strong>
                <span className="soft">{says}</span>
              </span>
              <Icon name="chevronRight" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
};
