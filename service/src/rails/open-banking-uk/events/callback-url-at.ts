import type { BankProfile } from '../settings/bank-profile.ts';

/** Banks want the version in the address, and most add the name of the resource to it. */
export const callbackUrlAt = ({ id, version }: BankProfile, baseUrl: string): string =>
  `${baseUrl}/${id}/open-banking/v${version}`;
