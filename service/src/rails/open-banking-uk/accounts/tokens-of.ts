import type { genericGrantRequest } from 'openid-client';
import type { TokensOutcome } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { type AccountState, type AccountTokens, writeAccountState } from './account-state.ts';

export type Granted = Awaited<ReturnType<typeof genericGrantRequest>>;

// A token without a lifetime lives briefly; none is used in its last seconds.
const assumedLifetimeSeconds = 60;
const maxLifetimeSeconds = 366 * 86_400;
const endsEarlyMs = 5_000;

/** A bank that sends no new refresh token lets the old one be used on. */
export const tokensOf = (
  bank: Bank,
  granted: Granted,
  before: Pick<AccountTokens, 'refresh' | 'refreshEndsAt'>,
): AccountTokens => {
  const seconds = Math.min(granted.expires_in ?? assumedLifetimeSeconds, maxLifetimeSeconds);
  return {
    access: granted.access_token,
    accessEndsAt: bank.tools.clock.now().getTime() + seconds * 1000 - endsEarlyMs,
    refresh: granted.refresh_token ?? before.refresh,
    refreshEndsAt: before.refreshEndsAt,
  };
};

export const okWith = (state: AccountState, tokens: AccountTokens): TokensOutcome => ({
  kind: 'OK',
  state: writeAccountState({ ...state, tokens }),
  accessEndsAt: new Date(tokens.accessEndsAt),
  refreshEndsAt: tokens.refreshEndsAt === null ? null : new Date(tokens.refreshEndsAt),
});
