import type { Tenant } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Uses } from '#platform/tools.ts';
import { type SavedCard, savedCard } from './saved-card.ts';
import { customerContext } from './seal-reference.ts';
import { findingCardRow } from './store/list-card-rows.ts';

export type ChargeableCard = SavedCard & {
  /** The processor's id of the card's customer. */
  readonly customerReference: string;
};

export type CardToCharge =
  | { readonly kind: 'CHARGEABLE'; readonly card: ChargeableCard }
  | { readonly kind: 'UNKNOWN_CUSTOMER' | 'UNKNOWN_CARD' | 'DELETED_CARD' };

/** `customerId` is a UUID; `cardId` is the caller's text, unchecked. */
export const findChargeableCard = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
): Promise<CardToCharge> => {
  const requested = { customerId, cardId: isUuid(cardId) ? cardId : noCard };
  const row = await tools.database.batched(tenant, findingCardRow, requested);
  if (!row) return { kind: 'UNKNOWN_CUSTOMER' };
  if (row.card_id === null) return { kind: 'UNKNOWN_CARD' };
  if (row.deleted_at) return { kind: 'DELETED_CARD' };
  const { customer_id, account_key, customer_reference_encrypted } = row;
  const customerReference = tools.secrets.decryptText(
    customer_reference_encrypted,
    customerContext(customer_id, account_key),
  );
  return {
    kind: 'CHARGEABLE',
    card: { ...savedCard(tools.secrets, row), customerReference },
  };
};

const noCard = '00000000-0000-0000-0000-000000000000';
