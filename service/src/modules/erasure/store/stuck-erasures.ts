import { stuckRows } from '#platform/database/stuck-rows.ts';

/** Deleted customers whose payments still name them. */
export const stuckErasures = [
  stuckRows({
    ...{ kind: 'ERASE_CUSTOMER', merchantId: 'w.merchant_id', workId: 'w.customer_id' },
    ...{ from: 'erasure w', where: 'w.done_at is null', dueAt: 'w.due_at' },
    leasedUntil: 'w.leased_until',
  }),
];
