import { putOffRows, stuckRows } from '#platform/database/stuck-rows.ts';

/** Deleted customers whose payments still name them, and old payments that cannot be erased. */
export const stuckErasures = [
  stuckRows({
    ...{ kind: 'ERASE_CUSTOMER', merchantId: 'w.merchant_id', workId: 'w.customer_id' },
    ...{ from: 'erasure w', where: 'w.done_at is null', dueAt: 'w.due_at' },
    ...{ leasedUntil: 'w.leased_until', pausedAs: 'ERASE' },
  }),
  putOffRows('ERASE_OLD_PAYMENT', 'ERASE_PAYMENT', 'w.subject_id'),
];
