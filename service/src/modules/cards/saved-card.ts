import type { Secrets } from '#platform/secrets/open-secrets.ts';
import type { CardFacts, RecurrenceType } from '#rails/card-rail.ts';
import { openReference } from './seal-reference.ts';
import type { CardRow } from './store/list-card-rows.ts';

export type SavedCard = {
  readonly cardId: string;
  /** The processor's id of the card, at this account. */
  readonly cardReference: string;
  readonly accountKey: string;
  readonly cardholderName: string | null;
  readonly brand: string;
  readonly funding: CardFacts['funding'];
  readonly category: CardFacts['category'];
  readonly country: string | null;
  readonly lastFourDigits: string;
  /** MM/YYYY. An expired card is kept: the processor decides whether it can be charged. */
  readonly expiryDate: string;
  readonly recurrenceType: RecurrenceType;
  readonly networkTransactionId: string | null;
};

export const savedCard = (secrets: Secrets, row: CardRow): SavedCard => ({
  cardId: row.card_id,
  cardReference: openReference(secrets, {
    customerId: row.customer_id,
    referenceId: row.reference_id,
    referenceEncrypted: row.reference_encrypted,
  }),
  accountKey: row.account_key,
  cardholderName: row.cardholder_name,
  brand: row.brand,
  funding: row.funding,
  category: row.category,
  country: row.country,
  lastFourDigits: row.last_four,
  expiryDate: row.expiry,
  recurrenceType: row.recurrence_type,
  networkTransactionId: row.network_transaction_id,
});
