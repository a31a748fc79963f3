import type { Environment } from '#kernel/environment.ts';
import { resolveCaseOf } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import { listLostDeliveries } from './store/lost-deliveries.ts';

type Delivery = {
  readonly environment: Environment;
  readonly reference: string;
  readonly messageId: string | null;
};

/** Before the row of the delivery that was taken, which ends theirs: killed in between it is taken again. */
export const resolveLostDeliveries = async (
  tools: Uses<'database'>,
  taken: Delivery,
): Promise<void> => {
  for (const { reference } of await tools.database.system(listLostDeliveries, taken))
    await resolveCaseOf(tools, 'BANK_MESSAGE_QUARANTINED', `${taken.environment} ${reference}`, {
      actor: 'The bank',
      resolution: 'A later delivery of it was taken.',
    });
};
