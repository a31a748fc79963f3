import type { Uses } from '#platform/tools.ts';
import type {
  BankDataRail,
  ConsentEnded,
  RateLimited,
  TokenEnded,
  TokensOutcome,
} from '#rails/bank-data-rail.ts';
import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import { encryptRailState } from '../authorisations/data-rails.ts';
import { type Claim, storeTokens } from './store/refreshes.ts';

/** What ends a session: a refusal, the end of the consent, a rate limit or an unknown outcome. */
export type Stopped = Refusal | ConsentEnded | RateLimited | Unknown;

export type Session = {
  /** Calls the bank with a living token: it is refreshed before it ends, and once if it has ended. */
  readonly read: <Answer extends { readonly kind: string }>(
    call: (rail: BankDataRail, state: string) => Promise<Answer | TokenEnded>,
  ) => Promise<Exclude<Answer, TokenEnded> | Stopped>;
};

const refreshBeforeMs = 30_000;

/** The calls of one worker that holds the claim of an authorisation. */
export const openSession = (
  tools: Uses<'database' | 'secrets' | 'clock'>,
  rail: BankDataRail,
  claim: Claim,
  state: string,
  accessEndsAt: Date | null,
): Session => {
  let current = { state, endsAt: accessEndsAt };
  const refresh = async (): Promise<Stopped | null> => {
    const tokens = await rail.refreshTokens(current.state);
    // What may not be refreshed cannot be read with: the customer has to log in again.
    if (tokens.kind === 'REFUSED')
      return { kind: 'CONSENT_ENDED', reason: 'REAUTHENTICATION_NEEDED' };
    if (tokens.kind !== 'OK') return tokens;
    current = { state: tokens.state, endsAt: tokens.accessEndsAt };
    return store(tools, claim, tokens);
  };
  return {
    read: async (call) => {
      const isEnding =
        current.endsAt !== null &&
        current.endsAt.getTime() - tools.clock.now().getTime() < refreshBeforeMs;
      const stopped = isEnding ? await refresh() : null;
      if (stopped) return stopped;
      const answer = await call(rail, current.state);
      if (!isTokenEnded(answer)) return answer as never;
      const stoppedNow = await refresh();
      if (stoppedNow) return stoppedNow;
      const again = await call(rail, current.state);
      return isTokenEnded(again)
        ? { kind: 'UNKNOWN', description: 'A new token is not taken.' }
        : (again as never);
    },
  };
};

const isTokenEnded = (answer: { readonly kind: string }): boolean => answer.kind === 'TOKEN_ENDED';

/** Before the new tokens are used: the bank may have ended the old ones. */
const store = async (
  { database, secrets }: Uses<'database' | 'secrets'>,
  claim: Claim,
  tokens: Extract<TokensOutcome, { readonly kind: 'OK' }>,
): Promise<Stopped | null> => {
  const railStateEncrypted = encryptRailState(secrets, claim.authorisationId, tokens.state);
  const { accessEndsAt } = tokens;
  const values = { ...claim, railStateEncrypted, accessEndsAt };
  const stored = await database.tenant(claim.merchantId, storeTokens, values);
  return stored.length === 1 ? null : { kind: 'UNKNOWN', description: 'The claim is lost.' };
};
