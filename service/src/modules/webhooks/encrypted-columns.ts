import type { Tenant } from '#kernel/environment.ts';
import {
  type EncryptedColumn,
  encryptedColumn,
  type RecordRow,
} from '#platform/secrets/reencrypt-records.ts';
import { authenticationContext } from './endpoints/endpoint-authentication.ts';
import { signingSecretContext } from './secrets/signing-secrets.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'webhook_endpoint',
    column: 'auth_encrypted',
    key: { endpoint_id: 'uuid' },
    contextOf: (row) => authenticationContext(tenantOf(row), row.endpoint_id ?? ''),
  }),
  encryptedColumn({
    table: 'webhook_signing_secret',
    column: 'secret_encrypted',
    key: { secret_id: 'uuid' },
    contextOf: (row) => signingSecretContext(tenantOf(row), row.secret_id ?? ''),
  }),
];

const tenantOf = (row: RecordRow) =>
  ({ merchantId: row.merchant_id, environment: row.environment }) as Tenant;
