import type { Tenant } from '#kernel/environment.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Uses } from '#platform/tools.ts';
import { accountNeeded } from '../stores/payee-for.ts';
import { type Switches, switchesOf } from './read-merchant.ts';
import { updateSwitches } from './store/merchants.ts';

export const setSwitches = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  changes: Partial<Switches>,
): Promise<Switches> => {
  const values = {
    ...tenant,
    cardsEnabled: changes.cardsEnabled ?? null,
    refundsEnabled: changes.refundsEnabled ?? null,
    payoutsEnabled: changes.payoutsEnabled ?? null,
    transferHubPaused: changes.transferHubPaused ?? null,
    refundsBeforeSettlement: changes.refundsBeforeSettlement ?? null,
    ordersGuarded: changes.ordersGuarded ?? null,
    signsEveryReturn: changes.signsEveryReturn ?? null,
  };
  try {
    const [row] = await tools.database.tenant(tenant.merchantId, updateSwitches, values);
    if (!row)
      throw badField(
        'payoutsEnabled',
        'payoutsEnabled needs a bank account of each store',
        accountNeeded,
      );
    return switchesOf(row);
  } catch (error) {
    // The table's own rule, so that two changes at once cannot pass it either.
    if ((error as { code?: string }).code !== '23514') throw error;
    const message =
      'Refunds need payouts of the same day: switch payouts on and settle DAILY, or refunds off.';
    throw badField('refundsEnabled', 'refundsEnabled needs payoutsEnabled', message);
  }
};
