import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import { attemptContext } from './core/open-rail-state.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  ...['rail_state_encrypted', 'payer_encrypted'].map((column) =>
    encryptedColumn({
      table: 'attempt',
      column,
      key: { attempt_id: 'uuid' },
      contextOf: (row) => attemptContext(row.attempt_id ?? '', column),
    }),
  ),
];
