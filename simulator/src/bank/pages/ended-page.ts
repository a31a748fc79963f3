import type { BankProfile } from '../banks.ts';
import { noticePage } from './notice-page.ts';

export const endedPage = (bank: BankProfile): string => {
  const title = 'This page has ended';
  const text =
    'It was used already, or too much time went by. Go back to the shop to see how the payment stands.';
  return noticePage(bank, { title, text });
};

export type VisitAnswer =
  | { readonly page: string; readonly status?: number }
  | { readonly redirect: string };

export const refusedByBank = (what: string) => ({
  error: 'access_denied',
  error_description: `U033: the customer did not authorise ${what}`,
});

export const failedAtBank = { error: 'server_error', error_description: 'the bank failed' };

export const deadEndPage = (bank: BankProfile): string => {
  const title = 'Something went wrong';
  const text = 'The bank cannot continue and does not send you back. Close this page.';
  return noticePage(bank, { title, text });
};
