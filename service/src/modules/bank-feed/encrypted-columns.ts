import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/store/encrypted-column.ts';
import { railStateContext } from './authorisations/open-rail-state.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'bank_authorisation',
    column: 'rail_state_encrypted',
    key: { authorisation_id: 'uuid' },
    contextOf: (row) => railStateContext(row.authorisation_id ?? ''),
  }),
];
