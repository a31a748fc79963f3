import { callFlorin, type Florin } from './call-florin.ts';
import type { Traded } from './model.ts';
import type { Customer } from './open-customers.ts';
import type { Shop } from './open-shop.ts';
import type { OrderKind } from './order-weights.ts';
import type { PlannedOrder } from './plan-day.ts';
import { shopNames } from './shop-names.ts';

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
export const chargeOrder = async (
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
