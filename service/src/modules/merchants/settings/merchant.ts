import {
  failures,
  type getMerchant,
  type listMerchants as operation,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { environments, type Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { type Pence, pence, poundsNumber } from '#kernel/pence.ts';
import { numberedPage } from '#platform/database/pages.ts';
import { named, shown } from '#platform/database/rows.ts';
import type { Uses } from '#platform/tools.ts';
import type { Suspension } from '../suspensions/store.ts';
import { listSuspensions } from '../suspensions/suspensions.ts';
import {
  listMerchantRows,
  type MerchantRow,
  readMerchantRow,
  type Settings,
  type Switches,
} from './store/merchants.ts';

export type Merchant = Settings & {
  readonly merchantId: string;
  readonly paymentLimitPence: Pence;
  /** Its path on this server. */
  readonly logoUrl: string | null;
  readonly switches: Switches;
  /** In this environment nothing new starts (ACCESS-12). */
  readonly isSuspended: boolean;
};

export const readMerchant = async (tools: Uses<'database'>, tenant: Tenant): Promise<Merchant> => {
  const [row] = await tools.database.tenant(tenant.merchantId, readMerchantRow, tenant);
  if (!row) throw new Error('the merchant of the tenant was not found');
  return merchantOf(tenant.merchantId, row);
};

const merchantOf = (merchantId: string, { logo_file, ...row }: MerchantRow): Merchant => ({
  merchantId,
  ...named(row),
  paymentLimitPence: pence(row.payment_limit_pence),
  logoUrl: logoPath(merchantId, logo_file),
});

/** Another picture has another address. */
export const logoPath = (merchantId: string, logoFile: string | null): string | null =>
  logoFile && `/merchant-logos/${merchantId}/${logoFile}`;

type Feature = 'cards' | 'refunds' | 'payouts';

const switchOf = {
  cards: ['cardsEnabled', 'Card payments are'],
  refunds: ['refundsEnabled', 'Refunds are'],
  payouts: ['payoutsEnabled', 'Payouts are'],
} as const satisfies Record<Feature, readonly [keyof Switches, string]>;

/** NOT_ENABLED, unless the operator switched the feature on in this environment. */
export const requireSwitch = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  feature: Feature,
): Promise<void> => requireSwitchOf((await readMerchant(tools, tenant)).switches, feature);

export const requireSwitchOf = (switches: Switches, feature: Feature): void => {
  const [name, subject] = switchOf[feature];
  if (switches[name]) return;
  const message = `${subject} not enabled on this merchant account.`;
  throw new Failure(failures.notEnabled, { message });
};

/** Settings and switches, as the operator reads them. 404 for an unknown merchant. */
export const showMerchant = async (
  tools: Uses<'database'>,
  merchantId: string,
): Promise<ReplyOf<typeof getMerchant>> => {
  const read = (environment: Tenant['environment']) =>
    tools.database.tenant(merchantId, readMerchantRow, { merchantId, environment });
  const [[sandbox], [production]] = (await Promise.all(environments.map(read))) as [
    Awaited<ReturnType<typeof read>>,
    Awaited<ReturnType<typeof read>>,
  ];
  if (!sandbox || !production) throw unknownMerchant();
  const {
    switches: inSandbox,
    paymentLimitPence,
    isSuspended: _,
    ...merchant
  } = merchantOf(merchantId, sandbox);
  return {
    ...merchant,
    paymentLimit: poundsNumber(paymentLimitPence),
    switches: { SANDBOX: inSandbox, PRODUCTION: merchantOf(merchantId, production).switches },
    suspensions: await listSuspensions(tools, merchantId),
  };
};

/** For operations that name a merchant in their path. */
export const requireMerchant = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
): Promise<void> => {
  const [row] = await database.tenant(tenant.merchantId, readMerchantRow, tenant);
  if (!row) throw unknownMerchant();
};

export const unknownMerchant = (): Failure =>
  new Failure(failures.notFound, { message: 'No merchant has this id.' });

/** The newest first. */
export const listMerchants = async (
  { database }: Uses<'database'>,
  { status, page, size }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const rows = await database.system(listMerchantRows, {
    limit: size,
    skipped: page * size,
    isSuspended: status ? status === 'SUSPENDED' : null,
  });
  return numberedPage(rows, { page, size }, (row) =>
    row.merchant_id === null
      ? null
      : { ...shown(row), suspensions: (row.suspensions ?? []).map(withIsoTime) },
  );
};

const withIsoTime = (current: Suspension): Suspension => ({
  ...current,
  suspendedAt: new Date(current.suspendedAt).toISOString(),
});
