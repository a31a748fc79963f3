import type { Permission } from '@florin/contract/dashboard/index.ts';
import type { IconName } from '../design/icon.tsx';

type NavigationItem = {
  readonly title: string;
  /** Below the merchant and environment. */
  readonly path: string;
  readonly icon: IconName;
  /** Who lacks it does not see the item; the server refuses the page's calls in any case. */
  readonly permission: Permission;
};

type NavigationGroup = {
  readonly title: string;
  readonly items: readonly NavigationItem[];
};

/** The menu of a merchant's pages, in order. */
export const navigation: readonly NavigationGroup[] = [
  {
    title: 'Money',
    items: [
      { title: 'Home', path: 'home', icon: 'home', permission: 'money.read' },
      { title: 'Payments', path: 'payments', icon: 'payments', permission: 'payments.read' },
      { title: 'Refunds', path: 'refunds', icon: 'refunds', permission: 'payments.read' },
      { title: 'Payouts', path: 'payouts', icon: 'payouts', permission: 'payouts.read' },
      { title: 'Customers', path: 'customers', icon: 'customers', permission: 'customers.read' },
    ],
  },
  {
    title: 'Get paid',
    items: [
      { title: 'Till', path: 'till', icon: 'till', permission: 'till.use' },
      { title: 'Payment links', path: 'links', icon: 'links', permission: 'links.write' },
      { title: 'Printed codes', path: 'codes', icon: 'rows', permission: 'links.write' },
    ],
  },
  {
    title: 'Banks',
    items: [
      { title: 'Bank feed', path: 'bank-feed', icon: 'bankFeed', permission: 'bankFeed.read' },
    ],
  },
  {
    title: 'Developers',
    items: [
      {
        title: 'Secrets',
        path: 'developers/secrets',
        icon: 'developers',
        permission: 'secrets.read',
      },
      {
        title: 'Webhooks',
        path: 'developers/webhooks',
        icon: 'external',
        permission: 'webhooks.read',
      },
      {
        title: 'Deliveries',
        path: 'developers/deliveries',
        icon: 'rows',
        permission: 'webhooks.read',
      },
      {
        title: 'Requests',
        path: 'developers/requests',
        icon: 'search',
        permission: 'developer.read',
      },
      { title: 'Events', path: 'developers/events', icon: 'star', permission: 'developer.read' },
      { title: 'Sandbox', path: 'developers/sandbox', icon: 'filter', permission: 'sandbox.use' },
    ],
  },
  {
    title: 'Settings',
    items: [
      { title: 'Profile', path: 'settings/profile', icon: 'settings', permission: 'settings.read' },
      { title: 'Stores', path: 'settings/stores', icon: 'till', permission: 'settings.read' },
      {
        title: 'Checkout page',
        path: 'settings/checkout',
        icon: 'payments',
        permission: 'settings.read',
      },
      {
        title: 'Notifications',
        path: 'settings/notifications',
        icon: 'warning',
        permission: 'payments.read',
      },
      { title: 'Team', path: 'settings/team', icon: 'customers', permission: 'team.read' },
      { title: 'Audit', path: 'settings/audit', icon: 'operator', permission: 'audit.read' },
    ],
  },
];
