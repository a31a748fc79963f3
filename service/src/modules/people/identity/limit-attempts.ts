import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import { addressKey } from '#platform/http/rate/address-key.ts';
import type { Uses } from '#platform/tools.ts';

type Window = { readonly endsMs: number; count: number };

const windowMs = 60_000;
const windowsMax = 50_000;

export type LimitAttempts = (attempt: {
  readonly address: string;
  /** Whose account is tried: an e-mail address or a person. */
  readonly account?: string;
}) => void;

/** Guesses a minute, from one address and at one account, whatever else is limited (PEOPLE-1). */
export const limitAttempts = ({ clock }: Uses<'clock'>): LimitAttempts => {
  const windows = new Map<string, Window>();
  const count = (key: string, max: number): void => {
    const nowMs = clock.now().getTime();
    const known = windows.get(key);
    const window = known && known.endsMs > nowMs ? known : { endsMs: nowMs + windowMs, count: 0 };
    setBounded(windows, key, window, windowsMax);
    window.count += 1;
    const retryAfterSeconds = Math.ceil((window.endsMs - nowMs) / 1000);
    if (window.count > max) throw new Failure(failures.rateLimited, { retryAfterSeconds });
  };
  return ({ address, account }) => {
    count(`address ${addressKey(address)}`, limits.signInsPerMinutePerAddress);
    if (account !== undefined) count(`account ${account.toLowerCase()}`, limits.signInsPerMinute);
  };
};
