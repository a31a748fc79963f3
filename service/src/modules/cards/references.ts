import { createHmac } from 'node:crypto';
import type { Tenant } from '#kernel/environment.ts';
import type { SecretContext, Secrets } from '#platform/secrets/open-secrets.ts';
import {
  type EncryptedColumn,
  encryptedColumn,
  type RecordRow,
} from '#platform/secrets/reencrypt-records.ts';
import { accountContext } from './card-accounts.ts';

/**
 * The processor's reference and its keys suffice to charge the card: it is stored encrypted.
 * It belongs to its customer and to its own id, not to a row: it moves from card to card_detachment.
 */
export type EncryptedReference = {
  readonly customerId: string;
  readonly referenceId: string;
  readonly referenceEncrypted: Buffer;
};

export const encryptReference = (
  secrets: Secrets,
  customerId: string,
  referenceId: string,
  reference: string,
): EncryptedReference => ({
  customerId,
  referenceId,
  referenceEncrypted: secrets.encrypt(reference, cardContext(customerId, referenceId)),
});

export const decryptReference = (secrets: Secrets, saved: EncryptedReference): string =>
  secrets.decryptText(saved.referenceEncrypted, cardContext(saved.customerId, saved.referenceId));

export const cardContext = (customerId: string, referenceId: string): SecretContext => ({
  table: 'card',
  row: `${customerId}/${referenceId}`,
  column: 'reference_encrypted',
});

export const customerContext = (customerId: string, accountKey: string): SecretContext => ({
  table: 'card_customer',
  row: `${customerId}/${accountKey}`,
  column: 'reference_encrypted',
});

/** Tells the same card again without telling the processor's fingerprint, or two merchants' cards. */
export const cardFingerprint = (
  secrets: Secrets,
  { merchantId, environment }: Tenant,
  accountKey: string,
  fingerprint: string,
): Buffer =>
  createHmac('sha256', secrets.keyFor('card-fingerprint'))
    .update(`${merchantId} ${environment} ${accountKey} ${fingerprint}`)
    .digest();

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
