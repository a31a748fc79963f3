import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { type CardAccount, readOwnCardAccounts } from './card-account.ts';

/** The card rails of each merchant and environment: keys are per merchant (MONEY-5). */
export type CardRails = {
  /** The account in use, for new work. */
  readonly find: (tenant: Tenant) => Promise<CardRail | null>;
  /** Throws a failure that names the missing setting. */
  readonly need: (tenant: Tenant) => Promise<CardRail>;
  /** The account that open work was made with (CARD-20); null: its keys are not here. */
  readonly findAccount: (tenant: Tenant, accountKey: string) => Promise<CardRail | null>;
  readonly needAccount: (tenant: Tenant, accountKey: string) => Promise<CardRail>;
  /** All accounts of the merchant's own, the one in use first: each may send events. */
  readonly listOwn: (tenant: Tenant) => Promise<readonly CardRail[]>;
  /** The simulated processor, shared by all sandbox merchants without keys of their own. */
  readonly shared: () => Promise<CardRail | null>;
};

/** Open work is resolved at its own account. */
export type FindAccount = Pick<CardRails, 'findAccount'>;

type CardRailTools = Uses<'database' | 'secrets' | 'clock'> & {
  readonly railFor: (account: CardAccount) => CardRail;
  readonly sharedSandboxAccount: () => Promise<CardAccount | null>;
};

type Own = { readonly inUse: CardRail | null; readonly former: readonly CardRail[] };
type Cached = { readonly own: Promise<Own>; readonly untilMs: number };

/** For so long a program may still use the account that was in use before. */
export const cardAccountCachedMs = 5_000;
const maxCached = 1_000;

export const cardRails = (tools: CardRailTools): CardRails => {
  const { readOwn, forget } = ownRails(tools);
  const shared = sharedRail(tools);
  const find = async (tenant: Tenant): Promise<CardRail | null> => {
    const { inUse } = await readOwn(tenant);
    const found = inUse ?? (tenant.environment === 'SANDBOX' ? await shared() : null);
    // Keys may be set at any moment.
    if (!found) forget(tenant);
    return found;
  };
  const listOwn = async (tenant: Tenant): Promise<readonly CardRail[]> => {
    const { inUse, former } = await readOwn(tenant);
    return inUse ? [inUse, ...former] : former;
  };
  const lookUp = async (tenant: Tenant, accountKey: string): Promise<CardRail | null> => {
    const own = await listOwn(tenant);
    const candidates = tenant.environment === 'SANDBOX' ? [...own, await shared()] : own;
    return candidates.find((rail) => rail?.accountKey === accountKey) ?? null;
  };
  const findAccount = async (tenant: Tenant, accountKey: string): Promise<CardRail | null> => {
    const found = await lookUp(tenant, accountKey);
    if (found) return found;
    // Another program may have chosen it a moment ago.
    forget(tenant);
    return lookUp(tenant, accountKey);
  };
  return {
    find,
    need: async (tenant) => (await find(tenant)) ?? refuse(tenant),
    findAccount,
    needAccount: async (tenant, accountKey) =>
      (await findAccount(tenant, accountKey)) ?? refuseAccount(accountKey),
    listOwn,
    shared,
  };
};

const ownRails = (tools: CardRailTools) => {
  const cached = new Map<string, Cached>();
  const keyOf = ({ merchantId, environment }: Tenant) => `${merchantId} ${environment}`;
  const open = async (tenant: Tenant): Promise<Own> => {
    const { inUse, former } = await readOwnCardAccounts(tools, tenant);
    return { inUse: inUse && tools.railFor(inUse), former: former.map(tools.railFor) };
  };
  const readOwn = (tenant: Tenant): Promise<Own> => {
    const key = keyOf(tenant);
    const nowMs = tools.clock.now().getTime();
    const known = cached.get(key);
    if (known && known.untilMs > nowMs) return known.own;
    const own = open(tenant);
    setBounded(cached, key, { own, untilMs: nowMs + cardAccountCachedMs }, maxCached);
    // What could not be read is read again by the next caller.
    own.catch(() => cached.delete(key));
    return own;
  };
  return { readOwn, forget: (tenant: Tenant) => void cached.delete(keyOf(tenant)) };
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

const refuseAccount = (accountKey: string): never => {
  throw new Failure(failures.railNotConfigured, {
    message: `The keys of the card processor account ${accountKey} are missing: ${setKeys}`,
  });
};
