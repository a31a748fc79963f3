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
  manager: 'do everything except create secrets or change webhooks, payout details and the team',
  cashier: 'take payments, by link and till, propose refunds, and see payments and customers',
  developer:
    'create secrets and webhooks, use the sandbox and see payments, but not the money page',
  readOnly: 'view money, payments, payouts and settings, and change nothing',
};
