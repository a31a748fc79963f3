import {
  changeMerchant,
  createMerchant,
  createMerchantSecret,
  createMerchantStore,
  getMerchant,
  getPayoutSettings,
  listMerchantSecrets,
  listMerchantStores,
  listMerchants,
  setPayoutSettings as payoutSettingsOperation,
  resumeMerchant as resumeOperation,
  revokeMerchantSecret,
  setMerchantAmountParts,
  setMerchantSwitches,
  setMerchantTips,
  suspendMerchant as suspendOperation,
} from '@florin/contract';
import { type Tenant, tenantIn } from '#kernel/environment.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listAccessSecrets, revokeAccessSecret } from './access/change-secrets.ts';
import { addAccessSecret } from './access/secrets.ts';
import { setAmountParts, setMerchant, setSwitches, setTips } from './settings/change-settings.ts';
import { addMerchant } from './settings/create-merchant.ts';
import { listMerchants as list, requireMerchant, showMerchant } from './settings/merchant.ts';
import { setPayoutSettings, showPayoutSettings } from './settings/payout-settings.ts';
import { createStore, listStores } from './stores/stores.ts';
import { listSuspensions, resumeMerchant, suspendMerchant } from './suspensions/suspensions.ts';

type OperatorTools = Uses<'database' | 'ids' | 'secrets' | 'clock'> & {
  /** This process refuses a revoked secret at once. */
  readonly forgetSecret: (secretId: string) => void;
};

export const operatorRoutes = (tools: OperatorTools): readonly Route[] => [
  operatorRoute(createMerchant, ({ body }) => addMerchant(tools, body)),
  operatorRoute(listMerchants, ({ query }) => list(tools, query)),
  operatorRoute(getMerchant, ({ params }) => showMerchant(tools, params.merchantId)),
  operatorRoute(changeMerchant, ({ params, body }) => setMerchant(tools, params.merchantId, body)),
  ...storeRoutes(tools),
  ...secretRoutes(tools),
  ...settingRoutes(tools),
  ...suspensionRoutes(tools),
];

const storeRoutes = (tools: OperatorTools): readonly Route[] => [
  operatorRoute(createMerchantStore, async ({ params, body }) => {
    const storeId = await createStore(tools, await tenantOf(tools, params), body);
    return { storeId };
  }),
  operatorRoute(listMerchantStores, async ({ params, query }) =>
    listStores(tools, await tenantOf(tools, params), query),
  ),
];

const secretRoutes = (tools: OperatorTools): readonly Route[] => [
  operatorRoute(createMerchantSecret, async ({ params, body }) =>
    addAccessSecret(tools, await tenantOf(tools, params), body),
  ),
  operatorRoute(listMerchantSecrets, async ({ params, query }) =>
    listAccessSecrets(tools, await tenantOf(tools, params), query),
  ),
  operatorRoute(revokeMerchantSecret, async ({ params }) => {
    const { secretId } = params;
    const tenant = await tenantOf(tools, params);
    await revokeAccessSecret(tools, { forget: tools.forgetSecret }, tenant, secretId);
    return { secretId };
  }),
];

const settingRoutes = (tools: OperatorTools): readonly Route[] => [
  operatorRoute(setMerchantSwitches, async ({ params, body }) =>
    setSwitches(tools, await tenantOf(tools, params), body),
  ),
  operatorRoute(setMerchantTips, async ({ params, body }) =>
    setTips(tools, await tenantOf(tools, params), body),
  ),
  operatorRoute(setMerchantAmountParts, async ({ params, body }) =>
    setAmountParts(tools, await tenantOf(tools, params), body),
  ),
  operatorRoute(getPayoutSettings, async ({ params }) =>
    showPayoutSettings(tools, tenantIn(params)),
  ),
  operatorRoute(payoutSettingsOperation, async ({ params, body }) =>
    setPayoutSettings(tools, await tenantOf(tools, params), body ?? {}),
  ),
];

const suspensionRoutes = (tools: OperatorTools): readonly Route[] => {
  const suspensionsIn = async ({ merchantId, environment }: Tenant) => ({
    suspensions: (await listSuspensions(tools, merchantId)).filter(
      (suspension) => suspension.environment === environment,
    ),
  });
  return [
    operatorRoute(suspendOperation, async ({ params, body }, operator) => {
      const tenant = await tenantOf(tools, params);
      await suspendMerchant(tools, tenant, body.reason, operator);
      return suspensionsIn(tenant);
    }),
    operatorRoute(resumeOperation, async ({ params }, operator) => {
      const tenant = await tenantOf(tools, params);
      await resumeMerchant(tools, tenant, operator);
      return suspensionsIn(tenant);
    }),
  ];
};

/** 404 for an unknown merchant. */
const tenantOf = async (
  tools: Uses<'database'>,
  params: Parameters<typeof tenantIn>[0],
): Promise<Tenant> => {
  const tenant = tenantIn(params);
  await requireMerchant(tools, tenant);
  return tenant;
};
