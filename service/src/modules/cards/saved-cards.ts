import type { savedCardReply } from '@florin/contract';
import * as contract from '@florin/contract';
import type { Static } from 'typebox';
import type { Tenant } from '#kernel/environment.ts';
import type { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { getCustomer, missingCustomer } from '#modules/customers/index.ts';
import { missing } from '#modules/merchants/index.ts';
import { isDeadlock, isForeignKeyViolation } from '#platform/database/database-unavailable.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { type Route, route } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { Secrets } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardFacts, RecurrenceType } from '#rails/card-rail.ts';
import { customerContext, decryptReference } from './references.ts';
import {
  type CardRow,
  deleteCardRow,
  deleteCustomerRow,
  findingCardRow,
  hasCardRow,
  type Joined,
  listCardRows,
} from './store/cards.ts';

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

const savedCard = (secrets: Secrets, row: CardRow): SavedCard => ({
  cardId: row.card_id,
  cardReference: decryptReference(secrets, {
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

/** The customer's cards, the newest first, for a page that offers them; none for a missing customer. */
export const listCards = async (
  tools: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  customerId: string,
): Promise<readonly SavedCard[]> => {
  const rows = await readCardRows(tools, tenant, customerId);
  return (rows ?? []).map((row) => savedCard(tools.secrets, row));
};

/** Null when there is no such customer. */
const readCardRows = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<readonly CardRow[] | null> => {
  const values = { ...tenant, customerId };
  const rows = await tools.database.tenant(tenant.merchantId, listCardRows, values);
  return rows.length === 0 ? null : rows.filter(isCard);
};

const isCard = (row: Joined<CardRow>): row is CardRow => row.card_id !== null;

type CardView = Static<typeof savedCardReply>;

const cardView = (row: CardRow): CardView => ({
  id: row.card_id,
  name: row.cardholder_name,
  type: typeOf[row.funding],
  lastFourDigits: row.last_four,
  category: row.category,
  cardType: row.funding === 'UNKNOWN' ? null : row.funding,
  brand: row.brand === 'UNKNOWN' ? null : row.brand,
  country: row.country,
  recurrenceType: row.recurrence_type,
  expiryDate: row.expiry,
});

const typeOf = {
  CREDIT: 'credit',
  DEBIT: 'debit',
  PREPAID: 'prepaid',
  UNKNOWN: null,
} as const satisfies Record<CardFacts['funding'], string | null>;

const listCustomerCards = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<CardView[]> => {
  const rows = await readCardRows(tools, tenant, customerId);
  if (!rows) throw await missingCustomer(tools, tenant, customerId);
  return rows.map(cardView);
};

const getCustomerCard = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
): Promise<CardView> => {
  const requested = { ...tenant, customerId, cardId };
  const row = await tools.database.batched(tenant, findingCardRow, requested);
  if (!row || row.card_id === null || row.deleted_at)
    throw await missingCard(tools, tenant, customerId, cardId);
  return cardView(row);
};

/** Names the missing one of the two, or the other environment. */
export const missingCard = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
): Promise<Failure> => {
  const requested = { ...tenant, customerId, cardId };
  const customer = await tools.database.batched(tenant, findingCardRow, requested);
  if (!customer) return missingCustomer(tools, tenant, customerId);
  return missing(tenant, 'No card was found under this id.', async (elsewhere) => {
    const values = { ...elsewhere, cardId };
    return (await tools.database.tenant(tenant.merchantId, hasCardRow, values)).length > 0;
  });
};

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

const deleteCustomerCard = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<{ readonly id: string }> => {
  const find = async () => (await getCustomerCard(tools, tenant, customerId, cardId)).id;
  const { isRepeat } = await beginOnce(tools, decideOnce, find);
  const requested = { ...tenant, customerId, cardId };
  const [deleted] = await tools.database.tenant(tenant.merchantId, deleteCardRow, requested);
  if (!deleted && isRepeat) return { id: cardId };
  if (!deleted) throw await missingCard(tools, tenant, customerId, cardId);
  return { id: deleted.card_id };
};

const tries = 10;

/** Stands here, above the customers, because a customer's cards go in the same statement. */
export const deleteCustomer = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  customerId: string,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<{ readonly id: string }> => {
  const find = async () => (await getCustomer(tools, tenant, customerId)).id;
  const { isRepeat } = await beginOnce(tools, decideOnce, find);
  for (let round = 1; ; round += 1)
    try {
      const requested = { ...tenant, customerId };
      const [removed] = await tools.database.tenant(
        tenant.merchantId,
        deleteCustomerRow,
        requested,
      );
      if (!removed && isRepeat) return { id: customerId };
      if (!removed) throw await missingCustomer(tools, tenant, customerId);
      return { id: removed.customer_id };
    } catch (error) {
      if (round === tries || !wasCardSaved(error)) throw error;
    }
};

/** A payment saved a card between the read and the delete: the next read sees it. */
const wasCardSaved = (error: unknown): boolean => isForeignKeyViolation(error) || isDeadlock(error);

export const merchantRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(contract.listCustomerCards, ({ params }, { tenant }) =>
    listCustomerCards(tools, tenant, params.customerId),
  ),
  route(contract.getCustomerCard, ({ params }, { tenant }) =>
    getCustomerCard(tools, tenant, params.customerId, params.cardId),
  ),
  route(contract.deleteCustomerCard, ({ params, decideOnce }, { tenant }) =>
    deleteCustomerCard(tools, tenant, params.customerId, params.cardId, decideOnce),
  ),
  route(contract.deleteCustomer, ({ params, decideOnce }, { tenant }) =>
    deleteCustomer(tools, tenant, params.customerId, decideOnce),
  ),
];
