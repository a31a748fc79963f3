import { setSandboxAmountParts, setSandboxSwitches, setSandboxTips } from '@florin/contract';
import { setAmountParts, setSwitches, setTips } from '#modules/merchants/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

/** Settings that the operator's command changes in production. */
export const settingsRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(setSandboxSwitches, ({ body }, { tenant }) => setSwitches(tools, tenant, body)),
  route(setSandboxTips, ({ body }, { tenant }) => setTips(tools, tenant, body)),
  route(setSandboxAmountParts, ({ body }, { tenant }) => setAmountParts(tools, tenant, body)),
];
