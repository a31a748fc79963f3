import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BankNotice } from '#rails/transfer-rail.ts';
import type { HttpChannelSettings } from '../settings.ts';

type Receiver = {
  readonly secret: string;
  readonly account: HttpChannelSettings['account'];
  readonly nowMs: number;
};

// A notice is signed when it is sent; a longer tolerance would admit replays.
const toleranceMs = 300_000;

/** Verifies that the bank sent it now, about our account. Nothing else in it is read. */
export const readNotice = (receiver: Receiver, body: Buffer, signature: string): BankNotice => {
  const parts = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature);
  const [, stamp = '', digest = ''] = parts ?? [];
  if (!parts || !isSigned(receiver.secret, stamp, digest, body))
    return invalid('The notice is not signed by the bank.');
  if (Math.abs(receiver.nowMs - Number(stamp) * 1_000) > toleranceMs)
    return invalid('The notice is too old, or from another time.');
  const account = accountOf(body);
  if (!account) return invalid('The notice names no account.');
  const { sortCode, accountNumber } = receiver.account;
  const isOurs = account.sortCode === sortCode && account.accountNumber === accountNumber;
  return { kind: isOurs ? 'MESSAGES_WAIT' : 'OTHER_ACCOUNT' };
};

const isSigned = (secret: string, stamp: string, digest: string, body: Buffer): boolean => {
  const expected = createHmac('sha256', secret).update(`${stamp}.`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
};

type NamedAccount = { readonly sortCode?: unknown; readonly accountNumber?: unknown };

const accountOf = (body: Buffer): NamedAccount | null => {
  try {
    const { account } = JSON.parse(body.toString('utf8')) as { account?: NamedAccount | null };
    return typeof account === 'object' ? account : null;
  } catch {
    return null;
  }
};

const invalid = (description: string): BankNotice => ({ kind: 'INVALID', description });
