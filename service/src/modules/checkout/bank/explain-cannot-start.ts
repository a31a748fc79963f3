import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { merchantSuspended } from '#modules/merchants/index.ts';
import type { CannotStart } from '#modules/payments/index.ts';

// Existing clients match on the first two texts.
const sentences = {
  PAID: 'This link is already paid',
  EXPIRED: 'Please reach out to the business for a new link and attempt to pay again',
  CANCELLED: 'The business cancelled this payment request.',
  UNDER_WAY: 'A payment of this request is under way at a bank. Wait for its outcome.',
  SUSPENDED:
    'This business takes no payments at the moment, and no money was taken. Contact the business.',
  MONEY_HELD:
    'A bank has stopped a payment of this request and may hold its money. ' +
    'Ask the business before paying again.',
  NO_RETRY: 'The business does not allow another try on this payment request.',
  TOO_MANY_ATTEMPTS: 'This payment request was tried too often. Ask the business for a new link.',
} as const satisfies Record<CannotStart, string>;

export const explainCannotStart = (why: CannotStart): Failure =>
  why === 'SUSPENDED'
    ? merchantSuspended(sentences[why])
    : new Failure(failures.invalidState, { message: sentences[why] });
