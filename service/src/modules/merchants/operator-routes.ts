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
import type { Tenant } from '#kernel/environment.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { addAccessSecret } from './access/add-access-secret.ts';
import { listAccessSecrets } from './access/list-access-secrets.ts';
import { revokeAccessSecret } from './access/revoke-access-secret.ts';
import { addMerchant } from './settings/add-merchant.ts';
import { listMerchants as list } from './settings/list-merchants.ts';
import { setAmountParts } from './settings/set-amount-parts.ts';
import { setMerchant } from './settings/set-merchant.ts';
import { setPayoutSettings } from './settings/set-payout-settings.ts';
import { setSwitches } from './settings/set-switches.ts';
import { setTips } from './settings/set-tips.ts';
import { requireMerchant, showMerchant } from './settings/show-merchant.ts';
import { showPayoutSettings } from './settings/show-payout-settings.ts';
import { createStore } from './stores/create-store.ts';
import { listStores } from './stores/list-stores.ts';
import { listSuspensions } from './suspensions/list-suspensions.ts';
import { resumeMerchant } from './suspensions/resume-merchant.ts';
import { suspendMerchant } from './suspensions/suspend-merchant.ts';

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
  operatorRoute(listMerchantSecrets, async ({ params }) => ({
    data: [...(await listAccessSecrets(tools, await tenantOf(tools, params)))],
  })),
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

type TenantParams = { readonly merchantId: string; readonly environment: 'sandbox' | 'production' };

const tenantIn = ({ merchantId, environment }: TenantParams): Tenant => ({
  merchantId,
  environment: environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION',
});

/** 404 for an unknown merchant. */
const tenantOf = async (tools: Uses<'database'>, params: TenantParams): Promise<Tenant> => {
  const tenant = tenantIn(params);
  await requireMerchant(tools, tenant);
  return tenant;
};
