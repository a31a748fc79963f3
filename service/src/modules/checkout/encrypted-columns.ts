import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import { recipientContext } from './receipts/queue-receipt.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'receipt_mail',
    column: 'recipient_encrypted',
    key: { attempt_id: 'uuid', position: 'smallint' },
    contextOf: (row) => recipientContext(row.attempt_id ?? ''),
  }),
];
