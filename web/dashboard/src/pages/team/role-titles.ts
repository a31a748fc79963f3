import type { Role } from '@florin/contract/dashboard/index.ts';

export const roleTitles: { readonly [Name in Role]: string } = {
  owner: 'Owner',
  manager: 'Manager',
  cashier: 'Cashier',
  developer: 'Developer',
  readOnly: 'Read only',
};

/** What a role may do, after "may". The table of permissions is the whole of it. */
export const roleMeanings: { readonly [Name in Role]: string } = {
  owner: 'do everything',
  manager: 'do everything but make secrets, and change webhooks, payout details and the team',
  cashier: 'take payments, by link and till, propose refunds, and see payments and customers',
  developer: 'make secrets and webhooks and use the sandbox, and see payments, not the money page',
  readOnly: 'look at money, payments, payouts and settings, and change nothing',
};
