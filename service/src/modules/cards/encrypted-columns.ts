import type { Tenant } from '#kernel/environment.ts';
import {
  type EncryptedColumn,
  encryptedColumn,
  type RecordRow,
} from '#platform/secrets/store/encrypted-column.ts';
import { accountContext } from './account/card-account.ts';
import { cardContext, customerContext } from './seal-reference.ts';

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'card_account',
    column: 'secret_key_encrypted',
    key: { account_key: 'text' },
    contextOf: (row) => accountContext(tenantOf(row), 'secret_key'),
  }),
  encryptedColumn({
    table: 'card_account',
    column: 'webhook_secret_encrypted',
    key: { account_key: 'text' },
    contextOf: (row) => accountContext(tenantOf(row), 'webhook_secret'),
  }),
  encryptedColumn({
    table: 'card_customer',
    column: 'reference_encrypted',
    key: { customer_id: 'uuid', account_key: 'text' },
    contextOf: (row) => customerContext(row.customer_id ?? '', row.account_key ?? ''),
  }),
  encryptedColumn({
    table: 'card',
    column: 'reference_encrypted',
    key: { card_id: 'uuid' },
    reads: ['customer_id', 'reference_id'],
    contextOf: (row) => cardContext(row.customer_id ?? '', row.reference_id ?? ''),
  }),
  encryptedColumn({
    table: 'card_detachment',
    column: 'reference_encrypted',
    key: { reference_id: 'uuid' },
    reads: ['kind', 'customer_id', 'account_key'],
    contextOf: (row) =>
      row.kind === 'CUSTOMER'
        ? customerContext(row.customer_id ?? '', row.account_key ?? '')
        : cardContext(row.customer_id ?? '', row.reference_id ?? ''),
  }),
];

const tenantOf = (row: RecordRow) =>
  ({ merchantId: row.merchant_id, environment: row.environment }) as Tenant;
