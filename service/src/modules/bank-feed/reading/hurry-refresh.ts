import type { Environment } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { refreshSoon } from './store/refreshes.ts';

/** A bank says that something of a consent has changed: its accounts are read soon (BANK-22). */
export const hurryRefresh = async (
  { database }: Uses<'database'>,
  named: {
    readonly environment: Environment;
    readonly institutionId: string;
    readonly reference: string;
  },
): Promise<void> => {
  await database.system(refreshSoon, named);
};
