import { clientCredentialsGrant } from 'openid-client';
import type { Clock } from '#platform/clock.ts';
import type { Discovered } from './discovered.ts';
import type { Remembered } from './remember.ts';
import { remember } from './remember.ts';

/** Our own token at a bank: for consents, and for reading payments without the payer. */
export type ClientToken = Remembered<string>;

// Renewed early, so that it does not run out on its way; a token without a lifetime lives briefly.
const renewBeforeMs = 30_000;
const assumedLifetimeSeconds = 60;
const maxCacheMs = 3_600_000;

export const openClientToken = (
  clock: Clock,
  discovered: Remembered<Discovered>,
  scope: string,
): ClientToken =>
  remember(clock, async () => {
    const { configuration } = await discovered.get();
    const granted = await clientCredentialsGrant(configuration, { scope });
    const lifetimeMs = (granted.expires_in ?? assumedLifetimeSeconds) * 1000;
    const cacheForMs = Math.min(Math.max(lifetimeMs - renewBeforeMs, 0), maxCacheMs);
    return { value: granted.access_token, cacheForMs };
  });
