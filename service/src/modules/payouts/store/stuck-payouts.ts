import { stuckRows } from '#platform/database/stuck-rows.ts';
import { mayClose } from './payouts.ts';

/** Payouts whose settlement period is over. */
export const stuckPayouts = [
  stuckRows({
    ...{ kind: 'CLOSE_PAYOUT', merchantId: 'w.merchant_id', workId: 'w.payout_id' },
    from: `payout w
       join merchant_switch o on o.merchant_id = w.merchant_id and o.environment = w.environment`,
    where: mayClose('w', 'o'),
    dueAt: 'w.due_at',
  }),
];
