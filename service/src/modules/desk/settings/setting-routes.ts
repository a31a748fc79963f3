import {
  changeAmountParts,
  changeExpiry,
  changeLimits,
  changeSettings,
  changeTips,
  getSettings,
  setRefundApproval as setApprovalOperation,
} from '@florin/contract/dashboard/index.ts';
import {
  setAmountParts,
  setExpiry,
  setMerchant,
  setRefundApproval,
  setTips,
} from '#modules/merchants/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { readSettings } from './read-settings.ts';

type SettingTools = Uses<'database' | 'ids'>;

/** DESK-8: what a member may set of the business, by the functions that operators use. */
export const settingRoutes = (tools: SettingTools): readonly Route[] => [
  route(getSettings, (_, { tenant }) => readSettings(tools, tenant)),
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
  route(setApprovalOperation, async ({ body: { refundApprovalAbove } }, { tenant }) => {
    await setRefundApproval(tools, tenant, refundApprovalAbove);
    return readSettings(tools, tenant);
  }),
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
