import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import { railStateContext } from './authorisations/rail-state.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'bank_authorisation',
    column: 'rail_state_encrypted',
    key: { authorisation_id: 'uuid' },
    contextOf: (row) => railStateContext(row.authorisation_id ?? ''),
  }),
];
