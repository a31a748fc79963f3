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

const item = (
  title: string,
  path: string,
  icon: IconName,
  permission: Permission,
): NavigationItem => ({ title, path, icon, permission });

/** The menu of a merchant's pages, in order. */
export const navigation: readonly NavigationGroup[] = [
  {
    title: 'Money',
    items: [
      item('Home', 'home', 'home', 'money.read'),
      item('Payments', 'payments', 'payments', 'payments.read'),
      item('Refunds', 'refunds', 'refunds', 'payments.read'),
      item('Disputes', 'disputes', 'warning', 'payments.read'),
      item('Payouts', 'payouts', 'payouts', 'payouts.read'),
      item('Statements', 'home/statement', 'columns', 'money.read'),
      item('Customers', 'customers', 'customers', 'customers.read'),
    ],
  },
  {
    title: 'Get paid',
    items: [
      item('Till', 'till', 'till', 'till.use'),
      item('Payment links', 'links', 'links', 'links.write'),
      item('Printed codes', 'codes', 'rows', 'links.write'),
    ],
  },
  {
    title: 'Banks',
    items: [item('Bank feed', 'bank-feed', 'bankFeed', 'bankFeed.read')],
  },
  {
    title: 'Developers',
    items: [
      item('Secrets', 'developers/secrets', 'developers', 'secrets.read'),
      item('Webhooks', 'developers/webhooks', 'external', 'webhooks.read'),
      item('Deliveries', 'developers/deliveries', 'rows', 'webhooks.read'),
      item('Requests', 'developers/requests', 'search', 'developer.read'),
      item('Events', 'developers/events', 'star', 'developer.read'),
      item('Sandbox', 'developers/sandbox', 'filter', 'sandbox.use'),
    ],
  },
  {
    title: 'Settings',
    items: [
      item('Profile', 'settings/profile', 'settings', 'settings.read'),
      item('Payments and payouts', 'settings/payments', 'payouts', 'settings.read'),
      item('Stores', 'settings/stores', 'till', 'settings.read'),
      item('Checkout page', 'settings/checkout', 'payments', 'settings.read'),
      item('Notifications', 'settings/notifications', 'warning', 'payments.read'),
      item('Team', 'settings/team', 'customers', 'team.read'),
      item('Audit', 'settings/audit', 'operator', 'audit.read'),
    ],
  },
];
