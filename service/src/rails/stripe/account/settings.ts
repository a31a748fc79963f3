import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '#kernel/environment.ts';
import type { Clock, Ids } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Timeouts } from '#rails/http-limits.ts';

/** One merchant's account at the processor, in one environment. */
export type StripeSettings = {
  readonly environment: Environment;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Names the account to its fields in our page; absent: cards are typed on its own page. */
  readonly publishableKey?: string;
  /** The account's id, which outlives its keys; absent: the simulated one. */
  readonly accountKey?: string;
  /** The simulated processor; absent: the real one. Never in production. */
  readonly apiUrl?: string;
  /** The script of the simulated fields; absent: the real one. */
  readonly fieldsUrl?: string;
};

export type StripeTools = { readonly clock: Clock; readonly ids: Ids; readonly log: Log };

// A card network may take ten seconds, and a payer waits for some of these calls.
export const defaultTimeouts: Timeouts = {
  connectMs: 3_000,
  headersMs: 20_000,
  bodyMs: 5_000,
  totalMs: 25_000,
};

/** Wallets are switched on and off in the processor's dashboard, which sends no event of it. */
export const walletsReadAgainMs = 600_000;

/** Older, they are not known, and no page names them. */
export const walletsLifeMs = 3_600_000;

export const walletAccountsMax = 5_000;

const publishableKinds = { PRODUCTION: /^pk_live_\S+$/, SANDBOX: /^pk_test_\S+$/ } as const;

const keyKinds = { PRODUCTION: /^(sk|rk)_live_\S+$/, SANDBOX: /^(sk|rk)_test_\S+$/ } as const;

/** The errors, in sentences that show no secret; live and test keys are never mixed. */
export const checkSettings = (settings: StripeSettings): readonly string[] => {
  const { environment, secretKey, publishableKey, webhookSecret, apiUrl } = settings;
  const isProduction = environment === 'PRODUCTION';
  const wrong: string[] = [];
  if (!keyKinds[environment].test(secretKey))
    wrong.push(`The card processor's secret key is not one of the ${environment} environment.`);
  if (publishableKey !== undefined && !publishableKinds[environment].test(publishableKey))
    wrong.push(
      `The card processor's publishable key is not one of the ${environment} environment.`,
    );
  if (!/^whsec_\S{8,}$/.test(webhookSecret))
    wrong.push("The card processor's webhook secret does not begin with whsec_.");
  if (isProduction && apiUrl !== undefined)
    wrong.push('Production speaks to the real card processor only: no address may be set.');
  if (apiUrl !== undefined && !isPlainAddress(apiUrl))
    wrong.push('The address of the simulated card processor must be scheme, host and port only.');
  return wrong;
};

const isPlainAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, pathname, search, hash, hostname } = new URL(address);
  const isHttp = protocol === 'http:' || protocol === 'https:';
  const isBare = pathname === '/' && [username, password, search, hash].join('') === '';
  return isHttp && isBare && !/(^|\.)stripe\.com$/i.test(hostname);
};

type Registration = {
  readonly cards?: Pick<StripeSettings, SimulatedSetting> & { readonly apiUrl: string };
};

type SimulatedSetting = 'secretKey' | 'webhookSecret' | 'publishableKey' | 'fieldsUrl';

/** The sandbox's account at the simulated processor; null when the simulator has no cards. */
export const readCardRegistration = async (folder: string): Promise<StripeSettings | null> => {
  const text = await readFile(join(folder, 'registration.json'), 'utf8');
  const { cards } = JSON.parse(text) as Registration;
  if (!cards) return null;
  const { apiUrl, secretKey, webhookSecret, publishableKey, fieldsUrl } = cards;
  return {
    ...{ environment: 'SANDBOX', apiUrl, secretKey, webhookSecret },
    ...(publishableKey && { publishableKey }),
    ...(fieldsUrl && { fieldsUrl }),
  };
};
