import type { Tenant } from '#kernel/environment.ts';
import type { Pence } from '#kernel/pence.ts';
import { outsideName } from '#platform/card-numbers/mask-card-numbers.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authentication, CardFacts, CardPayment, RecurrenceType } from '#rails/card-rail.ts';
import { cardFingerprint, type EncryptedReference, encryptReference } from './references.ts';

export type CardDraft = EncryptedReference & {
  /** Only if the customer has no such card yet. */
  readonly cardId: string;
  readonly attemptId: string;
  readonly accountKey: string;
  readonly fingerprint: Buffer | null;
  readonly cardholderName: string | null;
  readonly brand: string;
  readonly funding: CardFacts['funding'];
  readonly category: CardFacts['category'];
  readonly country: string | null;
  readonly lastFour: string;
  readonly expiry: string;
  readonly recurrenceType: RecurrenceType;
  readonly networkTransactionId: string | null;
  readonly authentication: Authentication;
  readonly amountPence: Pence;
  readonly savedAt: Date;
};

/** A reference that the processor stores and that we do not want. */
export type Detachment = EncryptedReference & {
  readonly accountKey: string;
  readonly reason: 'NOT_SAVED' | 'NOT_AUTHENTICATED';
};

export type PaidByCard = {
  readonly customerId: string;
  readonly attemptId: string;
  /** The rail that answered. */
  readonly accountKey: string;
  readonly payment: CardPayment;
  readonly recurrenceType?: RecurrenceType;
  /** The tenant's own time. */
  readonly now: Date;
};

/**
 * What happens to the card that a successful payment left at the processor: saved when the
 * cardholder's bank authenticated, detached when it did not (CARD-11). Both lists are empty when
 * the processor stores none. They go into `cardsValue`.
 */
export const saveCard = (
  tools: Uses<'ids' | 'secrets'>,
  tenant: Tenant,
  { customerId, attemptId, accountKey, payment, recurrenceType, now }: PaidByCard,
): { readonly saved: readonly CardDraft[]; readonly detached: readonly Detachment[] } => {
  const { savedCardReference, authentication, card } = payment;
  if (savedCardReference === null) return { saved: [], detached: [] };
  const { ids, secrets } = tools;
  const saved = {
    ...encryptReference(secrets, customerId, ids.uuid(), savedCardReference),
    accountKey,
  };
  if (!authentication.hasHappened)
    return { saved: [], detached: [{ ...saved, reason: 'NOT_AUTHENTICATED' }] };
  if (!card) return { saved: [], detached: [{ ...saved, reason: 'NOT_SAVED' }] };
  const draft: CardDraft = {
    ...saved,
    ...factsOf(card),
    cardId: ids.uuid(),
    attemptId,
    fingerprint:
      card.fingerprint === null
        ? null
        : cardFingerprint(secrets, tenant, accountKey, card.fingerprint),
    recurrenceType: recurrenceType ?? 'unscheduled',
    networkTransactionId: payment.networkTransactionId,
    authentication,
    amountPence: payment.amountPence,
    savedAt: now,
  };
  return { saved: [draft], detached: [] };
};

/** As much as may be stored: no value from the processor may prevent the end of a payment. */
const factsOf = (card: CardFacts) => ({
  cardholderName: plainName(card.cardholderName),
  brand: card.brand,
  funding: card.funding,
  category: card.category,
  country: card.country,
  lastFour: /^\d{4}$/.test(card.lastFourDigits) ? card.lastFourDigits : '',
  expiry: card.expiryDate,
});

/** Payers type their card number into every field: what is masked is no name. */
const plainName = (name: string | null): string | null => {
  const plain = outsideName(name);
  return plain === null || /\*{4}\d{4}/.test(plain) ? null : plain;
};
