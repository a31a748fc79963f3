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
  /** Seldom used: closed until it is wanted, so that the whole menu is in view. */
  readonly folds?: { readonly icon: IconName };
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
      item('Disputes', 'disputes', 'dispute', 'payments.read'),
      item('Payouts', 'payouts', 'payouts', 'payouts.read'),
      item('Statements', 'home/statement', 'statement', 'money.read'),
      item('Customers', 'customers', 'customers', 'customers.read'),
      item('Bank feed', 'bank-feed', 'bankFeed', 'bankFeed.read'),
    ],
  },
  {
    title: 'Get paid',
    items: [
      item('Till', 'till', 'till', 'till.use'),
      item('Payment links', 'links', 'links', 'links.write'),
      item('Printed codes', 'codes', 'code', 'links.write'),
    ],
  },
  {
    title: 'Developers',
    folds: { icon: 'developers' },
    items: [
      item('Secrets', 'developers/secrets', 'key', 'secrets.read'),
      item('Webhooks', 'developers/webhooks', 'webhook', 'webhooks.read'),
      item('Deliveries', 'developers/deliveries', 'delivery', 'webhooks.read'),
      item('Requests', 'developers/requests', 'request', 'developer.read'),
      item('Events', 'developers/events', 'event', 'developer.read'),
      item('Sandbox', 'developers/sandbox', 'sandbox', 'sandbox.use'),
    ],
  },
  {
    title: 'Settings',
    folds: { icon: 'settings' },
    items: [
      item('Profile', 'settings/profile', 'profile', 'settings.read'),
      item('Go live', 'settings/go-live', 'check', 'settings.read'),
      item('Payment methods', 'settings/payments', 'payments', 'settings.read'),
      item('Payouts and fees', 'settings/payouts', 'money', 'settings.read'),
      item('Stores', 'settings/stores', 'store', 'settings.read'),
      item('Checkout page', 'settings/checkout', 'page', 'settings.read'),
      item('Notifications', 'settings/notifications', 'bell', 'payments.read'),
      item('Team', 'settings/team', 'account', 'team.read'),
      item('Audit', 'settings/audit', 'audit', 'audit.read'),
    ],
  },
];
