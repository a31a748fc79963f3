import type { Role } from '@florin/contract/dashboard/index.ts';

export const roleTitles: { readonly [Name in Role]: string } = {
  owner: 'Owner',
  manager: 'Manager',
  cashier: 'Cashier',
  developer: 'Developer',
  readOnly: 'Read only',
};
