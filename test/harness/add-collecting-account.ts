import { setCollectingAccounts } from '../../service/src/modules/merchants/index.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import type { Uses } from '../../service/src/platform/tools.ts';

/** The operator's account of production, without which no payouts can be switched on there. */
export const addCollectingAccount = (tools: Uses<'database' | 'config'>): Promise<void> => {
  const config = readConfig({ PRODUCTION_COLLECTING_ACCOUNT: '089999 66374958 Operator' });
  return setCollectingAccounts({ ...tools, config });
};
