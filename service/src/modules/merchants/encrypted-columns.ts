import type { Tenant } from '#kernel/environment.ts';
import {
  type EncryptedColumn,
  encryptedColumn,
  type RecordRow,
} from '#platform/secrets/reencrypt-records.ts';
import { accessSecretContext } from './access/secrets.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'access_secret',
    column: 'secret_encrypted',
    key: { secret_id: 'uuid' },
    contextOf: (row) => accessSecretContext(tenantOf(row), row.secret_id ?? ''),
  }),
];

const tenantOf = (row: RecordRow) =>
  ({ merchantId: row.merchant_id, environment: row.environment }) as Tenant;
