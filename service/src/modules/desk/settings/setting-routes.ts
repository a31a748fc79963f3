import { limits, type ReplyOf } from '@florin/contract';
import {
  changeAmountParts,
  changeLimits,
  changeSettings,
  changeTips,
  getSettings,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { setAmountParts, setMerchant, setTips, showMerchant } from '#modules/merchants/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { type OfferRow, readOffer } from './store.ts';

type Settings = ReplyOf<typeof getSettings>;
type SettingTools = Uses<'database' | 'ids'>;

/** DESK-8: what a member may set of the business, by the functions that operators use. */
export const settingRoutes = (tools: SettingTools): readonly Route[] => [
  route(getSettings, (_, { tenant }) => readSettings(tools, tenant)),
  route(changeSettings, async ({ body }, { tenant }) => {
    await setMerchant(tools, tenant.merchantId, body);
    return readSettings(tools, tenant);
  }),
  route(changeTips, ({ body }, { tenant }) => setTips(tools, tenant, body)),
  route(changeAmountParts, ({ body }, { tenant }) => setAmountParts(tools, tenant, body)),
  route(changeLimits, async ({ body: { paymentLimit } }, { tenant }) => {
    const { paymentLimitMax } = await readSettings(tools, tenant);
    if (paymentLimit > paymentLimitMax) {
      const message = `paymentLimit can be at most £${paymentLimitMax}: the operator can raise it`;
      throw badField('paymentLimit', message, `${message}.`);
    }
    await setMerchant(tools, tenant.merchantId, { paymentLimit });
    return readSettings(tools, tenant);
  }),
];

const ownMax = poundsNumber(pence(limits.paymentAmountPenceDefaultMax));

const readSettings = async (tools: SettingTools, tenant: Tenant): Promise<Settings> => {
  const {
    merchantId: _,
    switches,
    completedAtSettlement: __,
    ...shown
  } = await showMerchant(tools, tenant.merchantId);
  const [offer] = await tools.database.tenant(tenant.merchantId, readOffer, tenant);
  return {
    ...shown,
    paymentLimitMax: Math.max(ownMax, shown.paymentLimit),
    switches: switches[tenant.environment],
    tips: offer ? tipsOf(offer) : null,
    amountParts: {
      taxPercentage: Number(offer?.tax_percentage ?? 0),
      servicePercentage: Number(offer?.service_percentage ?? 0),
    },
  };
};

const tipsOf = (row: OfferRow): Settings['tips'] => {
  if (row.tip_type === null) return null;
  const isFixed = row.tip_type === 'FIXED';
  return {
    enabled: row.tips_enabled ?? false,
    tipType: row.tip_type,
    options: (row.options ?? []).map((option) => (isFixed ? option / 100 : option)),
    allowCustom: row.allows_custom ?? true,
  };
};
