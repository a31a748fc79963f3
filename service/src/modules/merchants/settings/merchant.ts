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
import type { Uses } from '#platform/tools.ts';
import { listSuspensions, suspensionOf } from '../suspensions/suspensions.ts';
import {
  type CurrentSuspension,
  listMerchantRows,
  type MerchantRow,
  readMerchantRow,
  type SwitchRow,
} from './store/merchants.ts';

export type Switches = {
  readonly cardsEnabled: boolean;
  readonly refundsEnabled: boolean;
  readonly payoutsEnabled: boolean;
  readonly transferHubPaused: boolean;
  /** Refunds of a payment go out before its money has arrived. */
  readonly refundsBeforeSettlement: boolean;
  /** A second charge of the same order needs an Idempotency-Key. */
  readonly ordersGuarded: boolean;
  /** Old signatures are added to the way back in every state, not on COMPLETED only. */
  readonly signsEveryReturn: boolean;
};

export type Merchant = {
  readonly merchantId: string;
  readonly businessName: string;
  readonly ownerEmail: string | null;
  readonly categoryCode: string;
  readonly paymentLimitPence: Pence;
  /** A bank payment counts as COMPLETED only once the bank reports it settled. */
  readonly completedAtSettlement: boolean;
  readonly avatarUrl: string | null;
  readonly accentColour: string | null;
  readonly supportEmail: string | null;
  readonly supportPhone: string | null;
  readonly supportUrl: string | null;
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

const merchantOf = (merchantId: string, row: MerchantRow): Merchant => ({
  merchantId,
  businessName: row.business_name,
  ownerEmail: row.owner_email,
  categoryCode: row.category_code,
  paymentLimitPence: pence(row.payment_limit_pence),
  completedAtSettlement: row.completed_at_settlement,
  avatarUrl: row.avatar_url,
  accentColour: row.accent_colour,
  supportEmail: row.support_email,
  supportPhone: row.support_phone,
  supportUrl: row.support_url,
  logoUrl: logoPath(merchantId, row.logo_file),
  switches: switchesOf(row),
  isSuspended: row.is_suspended,
});

/** Another picture has another address. */
export const logoPath = (merchantId: string, logoFile: string | null): string | null =>
  logoFile && `/merchant-logos/${merchantId}/${logoFile}`;

export const switchesOf = (row: SwitchRow): Switches => ({
  cardsEnabled: row.cards_enabled,
  refundsEnabled: row.refunds_enabled,
  payoutsEnabled: row.payouts_enabled,
  transferHubPaused: row.transfer_hub_paused,
  refundsBeforeSettlement: row.refunds_before_settlement,
  ordersGuarded: row.orders_guarded,
  signsEveryReturn: row.signs_every_return,
});

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
  const data = rows.flatMap((row) =>
    row.merchant_id === null
      ? []
      : [
          {
            merchantId: row.merchant_id,
            businessName: row.business_name,
            createdAt: row.created_at.toISOString(),
            suspensions: (row.suspensions ?? []).map(currentSuspension),
          },
        ],
  );
  return { page, size, data, totalCount: Number(rows[0]?.total ?? 0) };
};

const currentSuspension = (current: CurrentSuspension) =>
  suspensionOf({
    ...current,
    suspended_at: new Date(current.suspended_at),
    resumed_by: null,
    resumed_at: null,
  });
