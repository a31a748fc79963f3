import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { type CardAccount, readOwnCardAccount } from './card-account.ts';

/** The card rail of each merchant and environment: keys are per merchant (MONEY-5). */
export type CardRails = {
  readonly find: (tenant: Tenant) => Promise<CardRail | null>;
  /** Throws a failure that names the missing setting. */
  readonly need: (tenant: Tenant) => Promise<CardRail>;
  /** The simulated processor, shared by all sandbox merchants without keys of their own. */
  readonly shared: () => Promise<CardRail | null>;
};

type CardRailTools = Uses<'database' | 'secrets' | 'clock'> & {
  readonly railFor: (account: CardAccount) => CardRail;
  readonly sharedSandboxAccount: () => Promise<CardAccount | null>;
};

type Cached = { readonly rail: Promise<CardRail | null>; readonly untilMs: number };

const cachedMs = 5_000;
const maxCached = 1_000;

export const cardRails = (tools: CardRailTools): CardRails => {
  const cached = new Map<string, Cached>();
  const shared = sharedRail(tools);
  const open = async (tenant: Tenant): Promise<CardRail | null> => {
    const own = await readOwnCardAccount(tools, tenant);
    if (own) return tools.railFor(own);
    return tenant.environment === 'SANDBOX' ? shared() : null;
  };
  const find = async (tenant: Tenant): Promise<CardRail | null> => {
    const key = `${tenant.merchantId} ${tenant.environment}`;
    const nowMs = tools.clock.now().getTime();
    const known = cached.get(key);
    if (known && known.untilMs > nowMs) return known.rail;
    const rail = open(tenant);
    setBounded(cached, key, { rail, untilMs: nowMs + cachedMs }, maxCached);
    // What could not be read is read again by the next caller.
    rail.then(
      (found) => found ?? cached.delete(key),
      () => cached.delete(key),
    );
    return rail;
  };
  return {
    find,
    need: async (tenant) => (await find(tenant)) ?? refuse(tenant),
    shared,
  };
};

const sharedRail = (tools: CardRailTools): (() => Promise<CardRail | null>) => {
  let known: CardRail | null = null;
  return async () => {
    if (known) return known;
    const account = await tools.sharedSandboxAccount();
    known = account && tools.railFor(account);
    return known;
  };
};

const setKeys = 'set the keys of the merchant by npm run card-account.';

const refuse = ({ environment }: Tenant): never => {
  throw new Failure(failures.railNotConfigured, {
    message:
      environment === 'SANDBOX'
        ? `No card processor is configured for sandbox: start the simulator, or ${setKeys}`
        : `No card processor is configured for production: ${setKeys}`,
  });
};
