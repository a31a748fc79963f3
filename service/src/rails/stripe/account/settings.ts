import type { Environment } from '#kernel/environment.ts';
import type { Clock, Ids } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

/** One merchant's account at the processor, in one environment. */
export type StripeSettings = {
  readonly environment: Environment;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The account's id, which outlives its keys; absent: the simulated one. */
  readonly accountKey?: string;
  /** The simulated processor; absent: the real one. Never in production. */
  readonly apiUrl?: string;
};

export type Timeouts = {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly totalMs: number;
};

export type StripeTools = { readonly clock: Clock; readonly ids: Ids; readonly log: Log };

// A card network may take ten seconds, and a payer waits for some of these calls.
export const defaultTimeouts: Timeouts = {
  connectMs: 3_000,
  headersMs: 20_000,
  bodyMs: 5_000,
  totalMs: 25_000,
};

/** A page of a hundred payments with their charges has far less. */
export const answerBytesMax = 4_194_304;

export const connectionsMax = 64;

/** Wallets are switched on and off in the processor's dashboard, which sends no event of it. */
export const walletsReadAgainMs = 600_000;

/** Older, they are not known, and no page names them. */
export const walletsLifeMs = 3_600_000;

export const walletAccountsMax = 5_000;
