import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import { keptContext } from './put-aside.ts';
import { creditorContext } from './store/order-transfers.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'transfer',
    column: 'creditor_encrypted',
    key: { end_to_end_id: 'text' },
    contextOf: (row) => creditorContext(row.end_to_end_id ?? ''),
  }),
  encryptedColumn({
    table: 'bank_message',
    column: 'message_encrypted',
    isOfNoMerchant: true,
    key: { reference: 'text' },
    contextOf: (row) => keptContext(row.environment ?? '', row.reference ?? ''),
  }),
];
