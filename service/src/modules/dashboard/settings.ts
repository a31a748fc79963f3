import { type getMerchant, limits, type ReplyOf } from '@florin/contract';
import {
  changeAmountParts,
  changeExpiry,
  changeLimits,
  changeSettings,
  changeStatementMails,
  changeTips,
  getPaymentSettings,
  getSettings,
  setRefundApproval as setApprovalOperation,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import {
  readTips,
  setAmountParts,
  setExpiry,
  setMerchant,
  setRefundApproval,
  setTips,
  showMerchant,
  showPayoutSettings,
} from '#modules/merchants/index.ts';
import { shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { wrongField } from '#platform/http/error-reply.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { readNow } from './days.ts';
import { setStatementEmails } from './monthly-statement.ts';

type Settings = ReplyOf<typeof getSettings>;

type OfferRow = {
  readonly tax_percentage: string | null;
  readonly service_percentage: string | null;
  readonly approval_above_pence: bigint | null;
  readonly expires_in_ms: bigint | null;
  readonly statement_emails: readonly string[] | null;
};

/** What is set beside the tips in an environment; null: it was never set. */
const readOffer = statement<Tenant, OfferRow>(
  'dashboard_offer_read',
  sql('merchantId', 'environment')`
   select p.tax_percentage::text, p.service_percentage::text,
     w.refund_approval_above_pence as approval_above_pence, w.expires_in_ms,
     s.emails as statement_emails
   from merchant_switch w
   left join amount_part_setting p on p.merchant_id = :merchantId
     and p.environment = :environment
   left join statement_mail s on s.merchant_id = :merchantId and s.environment = :environment
   where w.merchant_id = :merchantId and w.environment = :environment`,
);

type ReadyRow = {
  readonly is_admitted: boolean;
  readonly has_account: boolean;
  readonly has_cards: boolean;
  readonly has_secret: boolean;
  readonly has_endpoint: boolean;
};

const readReadiness = statement<Tenant, ReadyRow>(
  'dashboard_readiness',
  sql('merchantId', 'environment')`
   select exists (select from membership m where m.merchant_id = :merchantId
       and m.in_production) as is_admitted,
     not exists (select from store_bank_account a where a.merchant_id = :merchantId
       and a.environment = :environment and a.is_placeholder) as has_account,
     exists (select from card_account c where c.merchant_id = :merchantId
       and c.environment = :environment and c.chosen_at is not null) as has_cards,
     exists (select from access_secret s where s.merchant_id = :merchantId
       and s.environment = :environment and s.revoked_at is null) as has_secret,
     exists (select from webhook_endpoint w where w.merchant_id = :merchantId
       and w.environment = :environment and w.deleted_at is null) as has_endpoint`,
);

const showReadiness = async ({ database }: Uses<'database'>, { merchantId }: Tenant) => {
  const production = { merchantId, environment: 'PRODUCTION' } as const;
  const [row] = await database.tenant(merchantId, readReadiness, production);
  if (!row) throw new Error('the readiness of a merchant was not read');
  return shown(row);
};

const ownMax = poundsNumber(pence(limits.paymentAmountPenceDefaultMax));

export const readSettings = async (tools: Uses<'database'>, tenant: Tenant): Promise<Settings> => {
  const {
    merchantId: _,
    switches,
    completedAtSettlement: __,
    suspensions,
    ...shown
  } = await showMerchant(tools, tenant.merchantId);
  const [offer] = await tools.database.tenant(tenant.merchantId, readOffer, tenant);
  return {
    ...shown,
    paymentLimitMax: Math.max(ownMax, shown.paymentLimit),
    switches: switches[tenant.environment],
    suspension: currentOf(suspensions, tenant),
    now: (await readNow(tools, tenant)).toISOString(),
    expiresInMs: offer?.expires_in_ms ? Number(offer.expires_in_ms) : null,
    refundApprovalAbove: poundsOf(offer?.approval_above_pence ?? null),
    tips: await readTips(tools, tenant),
    amountParts: {
      taxPercentage: Number(offer?.tax_percentage ?? 0),
      servicePercentage: Number(offer?.service_percentage ?? 0),
    },
    statementEmails: [...(offer?.statement_emails ?? [])],
  };
};

/** Who of the operator's people it was stays with the operator. */
const currentOf = (
  suspensions: ReplyOf<typeof getMerchant>['suspensions'],
  { environment }: Tenant,
): Settings['suspension'] => {
  const current = suspensions.find(
    (each) => each.environment === environment && each.resumedAt === null,
  );
  return current ? { reason: current.reason, suspendedAt: current.suspendedAt } : null;
};

const poundsOf = (amountPence: bigint | null): number | null =>
  amountPence === null ? null : poundsNumber(pence(amountPence));

type SettingTools = Uses<'database' | 'ids'>;

/** DASHBOARD-48: what a member may set of the business, by the functions that operators use. */
export const settingRoutes = (tools: SettingTools): readonly Route[] => [
  route(getSettings, (_, { tenant }) => readSettings(tools, tenant)),
  route(getPaymentSettings, async (_, { tenant }) => ({
    payouts: await showPayoutSettings(tools, tenant),
    production: await showReadiness(tools, tenant),
  })),
  route(changeSettings, async ({ body }, { tenant }) => {
    await setMerchant(tools, tenant.merchantId, body);
    return readSettings(tools, tenant);
  }),
  route(changeExpiry, async ({ body: { expiresInMs } }, { tenant }) => {
    await setExpiry(tools, tenant, expiresInMs);
    return readSettings(tools, tenant);
  }),
  route(changeTips, ({ body }, { tenant }) => setTips(tools, tenant, body)),
  route(changeAmountParts, ({ body }, { tenant }) => setAmountParts(tools, tenant, body)),
  route(changeStatementMails, async ({ body: { emails } }, { tenant }) => {
    await setStatementEmails(tools, tenant, emails);
    return readSettings(tools, tenant);
  }),
  route(setApprovalOperation, async ({ body: { refundApprovalAbove } }, { tenant }) => {
    await setRefundApproval(tools, tenant, refundApprovalAbove);
    return readSettings(tools, tenant);
  }),
  route(changeLimits, async ({ body: { paymentLimit } }, { tenant }) => {
    const { paymentLimitMax } = await readSettings(tools, tenant);
    const says = `can be at most £${paymentLimitMax}: the operator can raise it`;
    if (paymentLimit > paymentLimitMax) throw wrongField('paymentLimit', says);
    await setMerchant(tools, tenant.merchantId, { paymentLimit });
    return readSettings(tools, tenant);
  }),
];
