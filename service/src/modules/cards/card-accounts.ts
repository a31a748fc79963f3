import { failures } from '@florin/contract';
import { type Environment, type Tenant, tenantOf } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { setBounded } from '#kernel/set-bounded.ts';
import type { TenantCase } from '#modules/operator-cases/index.ts';
import type { SecretContext } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import {
  type CardAccountRow,
  chooseCardAccount,
  deleteFormerAccount,
  listCardAccounts,
  listTenantsWithAccounts,
  saveCardAccountKeys,
} from './store/card-accounts.ts';

export { sharedCardEventsPath } from '#rails/card-rail.ts';

/** Where the processor of a merchant's own account sends its events. */
export const ownCardEventsPath = ({ merchantId, environment }: Tenant): string =>
  `/api/rails/card-events/${merchantId}/${environment.toLowerCase()}`;

/** Work that can be resolved at one account alone, whose keys are not here (CARD-20). */
export const missingKeys = (
  tenant: Tenant,
  accountKey: string,
  evidence: Readonly<Record<string, string>>,
): TenantCase => ({
  tenant,
  kind: 'CARD_ACCOUNT_KEYS_MISSING',
  subject: `${tenant.merchantId} ${tenant.environment} ${accountKey}`,
  description:
    `Open card work needs the keys of the processor account ${accountKey}, which are not here: ` +
    'save them with npm run card-account, or record its outcomes.',
  evidence: { accountKey, ...evidence },
});

/** An account at the card processor, in one environment. */
export type CardAccount = {
  readonly environment: Environment;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Absent: cards are typed on the processor's own page. */
  readonly publishableKey?: string;
  /**
   * The processor's id of the account, which stays when its keys are replaced; absent: the
   * simulated one.
   */
  readonly accountKey?: string;
  /** The simulated processor; absent: the real one. */
  readonly apiUrl?: string;
  readonly fieldsUrl?: string;
};

type OwnAccount = Required<Pick<CardAccount, 'secretKey' | 'webhookSecret' | 'accountKey'>> &
  Pick<CardAccount, 'publishableKey'>;

type OwnCardAccounts = {
  /** Null: the merchant has chosen none of its own. */
  readonly inUse: CardAccount | null;
  /** Those that open work may still need (CARD-20). */
  readonly former: readonly CardAccount[];
};

/** The keys that this merchant's processor issued. */
export const readOwnCardAccounts = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
): Promise<OwnCardAccounts> => {
  const rows = await tools.database.tenant(tenant.merchantId, listCardAccounts, tenant);
  const [first, ...rest] = rows.map((row) => accountOf(tools, tenant, row));
  if (!first) return { inUse: null, former: [] };
  const isChosen = rows[0]?.chosen_at != null;
  return isChosen ? { inUse: first, former: rest } : { inUse: null, former: [first, ...rest] };
};

const accountOf = (
  { secrets }: Uses<'secrets'>,
  tenant: Tenant,
  row: CardAccountRow,
): CardAccount => ({
  environment: tenant.environment,
  accountKey: row.account_key,
  ...(row.publishable_key !== null && { publishableKey: row.publishable_key }),
  secretKey: secrets.decryptText(row.secret_key_encrypted, accountContext(tenant, 'secret_key')),
  webhookSecret: secrets.decryptText(
    row.webhook_secret_encrypted,
    accountContext(tenant, 'webhook_secret'),
  ),
});

/** The account for all new work, or its new keys; programs follow within seconds. */
export const setCardAccount = (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  account: OwnAccount,
): Promise<void> => save(tools, tenant, account, chooseCardAccount);

/** Keys for the open work of an account; which one is in use stays as it is. */
export const saveCardAccount = (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  account: OwnAccount,
): Promise<void> => save(tools, tenant, account, saveCardAccountKeys);

const save = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  { secretKey, webhookSecret, publishableKey, accountKey }: OwnAccount,
  statement: typeof chooseCardAccount,
): Promise<void> => {
  const [saved] = await tools.database.tenant(tenant.merchantId, statement, {
    ...tenant,
    accountKey,
    publishableKey: publishableKey ?? null,
    secretKeyEncrypted: tools.secrets.encrypt(secretKey, accountContext(tenant, 'secret_key')),
    webhookSecretEncrypted: tools.secrets.encrypt(
      webhookSecret,
      accountContext(tenant, 'webhook_secret'),
    ),
  });
  if (!saved) throw new Failure(failures.notFound, { message: 'There is no such merchant.' });
};

/** Who has accounts of its own. */
export const listCardTenants = async ({ database }: Uses<'database'>): Promise<readonly Tenant[]> =>
  (await database.system(listTenantsWithAccounts, {})).map(tenantOf);

type ListedCardAccount = {
  readonly accountKey: string;
  readonly isInUse: boolean;
  readonly chosenAt: Date | null;
};

/** Without keys. */
export const listOwnCardAccounts = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<readonly ListedCardAccount[]> => {
  const rows = await database.tenant(tenant.merchantId, listCardAccounts, tenant);
  return rows.map(({ account_key: accountKey, chosen_at: chosenAt }, position) => ({
    accountKey,
    isInUse: position === 0 && chosenAt !== null,
    chosenAt,
  }));
};

/** Never the account in use: false. */
export const forgetCardAccount = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<boolean> => {
  const values = { ...tenant, accountKey };
  return (await database.tenant(tenant.merchantId, deleteFormerAccount, values)).length > 0;
};

/** One context for all accounts of a merchant: a former account's keys stay as they are. */
export const accountContext = (
  { merchantId, environment }: Tenant,
  column: string,
): SecretContext => ({
  table: 'card_account',
  row: `${merchantId}/${environment}`,
  column,
});

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
