import * as bankFeed from '#modules/bank-feed/index.ts';
import * as cards from '#modules/cards/index.ts';
import * as checkout from '#modules/checkout/index.ts';
import * as merchants from '#modules/merchants/index.ts';
import * as payments from '#modules/payments/index.ts';
import * as refunds from '#modules/refunds/index.ts';
import * as transfers from '#modules/transfers/index.ts';
import * as webhooks from '#modules/webhooks/index.ts';
import type { EncryptedColumn } from '#platform/secrets/reencrypt-records.ts';

/** Every column that a new master key encrypts again. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  ...merchants.encryptedColumns,
  ...cards.encryptedColumns,
  ...payments.encryptedColumns,
  ...checkout.encryptedColumns,
  ...transfers.encryptedColumns,
  ...refunds.encryptedColumns,
  ...bankFeed.encryptedColumns,
  ...webhooks.encryptedColumns,
];
