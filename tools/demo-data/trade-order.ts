import { callFlorin, type Florin } from './call-florin.ts';
import type { Customer, Shop } from './open-shop.ts';
import type { OrderKind, PlannedOrder } from './plan-day.ts';
import type { Paid, Traded } from './refund-payment.ts';
import { shopNames } from './shop-names.ts';

const halfAnHour = 1_800_000;

/** One order, from the request to what its payer does. */
export const tradeOrder = async (shop: Shop, order: PlannedOrder, run: string): Promise<Traded> => {
  const customer = oneAt(shop.customers, order.customer);
  const storeId = oneAt(shop.storeIds, order.store);
  const key = `${run}-${order.orderId}`;
  const charged = await chargeOrder(shop, { order, customer, storeId, key });
  if (charged) return charged;
  const { florin } = shop;
  const { paymentRequestId } = await callFlorin(florin, 'POST', '/api/payments/process-payment', {
    body: requestOf(order, customer, storeId),
    key,
  });
  await openPage(florin.url, paymentRequestId);
  const path = `/api/sandbox/payment-requests/${paymentRequestId}/pay`;
  let status = '';
  for (const [index, body] of payersOf(order).entries()) {
    const reply = await callFlorin(florin, 'POST', path, { body, key: `${key}-pay-${index}` });
    status = reply.status;
  }
  if (order.kind === 'CANCELLED')
    await callFlorin(florin, 'POST', `/api/payment-request/cancel/${paymentRequestId}`);
  const paid = { paymentRequestId, pence: order.pence + order.tipPence };
  if (order.kind === 'CARD_REFUND_FAILS') return { later: () => refundWhole(shop, paid) };
  return refundable.has(order.kind) && status === 'COMPLETED' ? { paid } : {};
};

/** As the payer's browser does, which the funnel counts. */
const openPage = async (url: string, paymentRequestId: string): Promise<void> => {
  const page = await fetch(`${url}/pay?paymentRequestId=${paymentRequestId}`).catch(() => null);
  await page?.arrayBuffer();
};

const oneAt = <Item>(items: readonly Item[], share: number): Item => {
  const item = items[Math.floor(share * items.length)];
  if (item === undefined) throw new Error('the shop has nothing to choose from');
  return item;
};

// Of a split bill each payment is refunded by itself, and a disputed one not at all.
const refundable: ReadonlySet<OrderKind> = new Set(['BANK_PAID', 'CARD_PAID']);

const requestOf = (order: PlannedOrder, customer: Customer, storeId: string): object => {
  const [firstName, ...lastName] = customer.fullName.split(' ');
  return {
    customerId: `till-${customer.email.replace(/\W+/g, '-')}`.slice(0, 50),
    atoaCustomerId: customer.id,
    orderId: order.orderId,
    amount: order.pence / 100,
    notes: order.notes,
    storeId,
    expiresIn: halfAnHour,
    enableTips: order.tipPence > 0,
    splitBill: order.shares.length > 0,
    consumerDetails: { firstName, lastName: lastName.join(' '), email: customer.email },
  };
};

const bankOutcomes: Partial<Record<OrderKind, string>> = {
  BANK_REJECTED: 'FAILED',
  BANK_DECLINED_BY_PAYER: 'CANCELLED',
  BANK_PENDING: 'PENDING',
};

/** What each payer does; no payer where the request expires or is cancelled. */
const payersOf = (order: PlannedOrder): readonly object[] => {
  const { kind, shares, bank: institutionId, card: cardNumber } = order;
  const tip = order.tipPence > 0 ? { tipAmount: order.tipPence / 100 } : {};
  if (kind === 'EXPIRED' || kind === 'CANCELLED') return [];
  if (shares.length > 0) {
    const paid = kind === 'SPLIT_PAID' ? shares : shares.slice(0, -1);
    return paid.map((pence) => ({ institutionId, amount: pence / 100 }));
  }
  if (kind.startsWith('BANK_'))
    return [{ institutionId, ...tip, outcome: bankOutcomes[kind] ?? 'COMPLETED' }];
  const challenge = kind === 'CARD_ABANDONED' ? { challenge: 'ABANDON' } : {};
  return [{ method: 'CARD', cardNumber, ...tip, ...challenge }];
};

const refundWhole = ({ florin }: Shop, { paymentRequestId, pence }: Paid): Promise<unknown> =>
  callFlorin(florin, 'POST', '/api/refund', {
    body: { paymentRequestId, amount: pence / 100, refundNotes: 'Wrong size' },
    key: `refund-${paymentRequestId}`,
  });

type Charge = {
  readonly order: PlannedOrder;
  readonly customer: Customer;
  readonly storeId: string;
  readonly key: string;
};

const captureTypes: Partial<Record<OrderKind, string>> = {
  CARD_AUTOMATIC: 'AUTO_CAPTURE',
  CARD_CAPTURED: 'MANUAL_CAPTURE',
  CARD_RELEASED: 'MANUAL_CAPTURE',
  CARD_CAPTURED_BEFORE_EXPIRY: 'CAPTURE_BEFORE_EXPIRY',
};

/** A charge of a saved card without its holder; null for an order of another kind. */
const chargeOrder = async (
  { florin }: Shop,
  { order, customer, storeId, key }: Charge,
): Promise<Traded | null> => {
  const captureType = captureTypes[order.kind];
  if (!captureType) return null;
  const paymentMethodId = await savedCardOf(florin, customer, key);
  const { paymentRequestId } = await callFlorin(
    florin,
    'POST',
    '/api/payments/card/process-payment',
    {
      body: {
        customerId: customer.id,
        paymentMethodId,
        captureType,
        amount: order.pence / 100,
        orderId: order.orderId,
        notes: order.notes,
        storeId,
      },
      key,
    },
  );
  const path = `/api/payments/card/payment-request/${paymentRequestId}`;
  if (order.kind === 'CARD_CAPTURED')
    return { later: () => whileHeld(florin, paymentRequestId, `${path}/capture`) };
  if (order.kind === 'CARD_RELEASED')
    return { later: () => whileHeld(florin, paymentRequestId, `${path}/cancel`, released) };
  return {};
};

const released = { cancelledReasonCode: 'Requested by customer' };

/** A charge that the card's bank declined has nothing to capture or release. */
const whileHeld = async (
  florin: Florin,
  paymentRequestId: string,
  path: string,
  body?: object,
): Promise<void> => {
  const address = `/api/payments/v1/payment-status/${paymentRequestId}`;
  const { status } = await callFlorin(florin, 'GET', address);
  if (status === 'AUTHORIZED') await callFlorin(florin, 'POST', path, body ? { body } : {});
};

/** The customer's card; without one the customer pays once by a card and saves it. */
const savedCardOf = async (florin: Florin, customer: Customer, key: string): Promise<string> => {
  const path = `/api/customers/${customer.id}/cards`;
  const [known] = await callFlorin(florin, 'GET', path);
  if (known) return known.id;
  const { paymentRequestId } = await callFlorin(florin, 'POST', '/api/payments/process-payment', {
    body: {
      customerId: `club-${customer.id.slice(0, 8)}`,
      orderId: `club-${customer.id.slice(0, 8)}`,
      amount: 12,
      notes: 'Coffee club, first bag',
      atoaCustomerId: customer.id,
      savePaymentMethod: true,
      paymentMethod: ['CARD'],
    },
    key: `${key}-save`,
  });
  await callFlorin(florin, 'POST', `/api/sandbox/payment-requests/${paymentRequestId}/pay`, {
    body: { method: 'CARD', cardNumber: cardToSave(customer) },
    key: `${key}-save-pay`,
  });
  const [saved] = await callFlorin(florin, 'GET', path);
  if (!saved) throw new Error(`the card of ${customer.fullName} was not saved`);
  return saved.id;
};

/** The first customer's card fails whenever it is charged later. */
const cardToSave = ({ email }: Customer): string => {
  const number = Number(/\.(\d+)@/.exec(email)?.[1] ?? 1);
  const { savedCards, laterDeclinedCard } = shopNames;
  return number === 1
    ? laterDeclinedCard
    : (savedCards[number % savedCards.length] ?? laterDeclinedCard);
};
