import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import { refundAccountContext, refundStateContext } from './core/refund.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'refund',
    column: 'account_encrypted',
    key: { refund_id: 'uuid' },
    contextOf: (row) => refundAccountContext(row.refund_id ?? ''),
  }),
  encryptedColumn({
    table: 'refund',
    column: 'rail_state_encrypted',
    key: { refund_id: 'uuid' },
    contextOf: (row) => refundStateContext(row.refund_id ?? ''),
  }),
];
