import { bankLinkReturnPath } from '#rails/bank-data-rail.ts';

/** Where a bank returns a browser after a payment, and after an account was linked. */
export const bankReturnAddresses = (publicUrl: string) =>
  [`${publicUrl}/bank-return`, `${publicUrl}${bankLinkReturnPath}`] as const;
