import { randomUUID } from 'node:crypto';
import type { Rig } from './open-rig.ts';
import { again, callApi } from './pay-persistently.ts';

// As many as two cores serve while programs start again.
const shopCount = 2;
const cardNumber = '4000000000000127';

/** What was answered with success, and so has to be there whatever was killed. */
export type Acknowledged = {
  readonly kind: 'create' | 'bank payment' | 'charge' | 'capture' | 'refund' | Cancelled;
  readonly orderId: string;
  readonly paymentRequestId: string;
  readonly refundId: string | null;
};

/** It ends as CANCELLED, and no money of it ever left. */
export type Cancelled = 'cancelled request' | 'cancelled charge' | 'cancelled refund';

/** What the hub does with a refund, by a word of its reference; '' is what it usually does. */
const hubWords = [
  ...['', '', 'SIM-TWICE', 'SIM-REVERSED', 'SIM-NEVER', 'SIM-FOR-UNKNOWN', 'SIM-AC04'],
  ...['SIM-RETURN', 'SIM-REJECT-LATE', 'SIM-REFUSE-BATCH'],
];

/** Shops that create, charge, capture, refund and cancel without a pause, each call until it succeeds. */
export const openLoad = async (rig: Rig) => {
  const card = await saveCard(rig);
  const acknowledged: Acknowledged[] = [];
  let isStopped = false;

  const note = (kind: Acknowledged['kind'], orderId: string, id: string, refundId?: string) =>
    acknowledged.push({ kind, orderId, paymentRequestId: id, refundId: refundId ?? null });
  const create = async (orderId: string): Promise<string> => {
    const body = { customerId: 'c', orderId, amount: 5, expiresIn: 30 * 864e5, enableTips: false };
    const key = orderId.replaceAll(' ', '-');
    const made = await again(() => callApi(rig, '/api/payments/process-payment', body, key));
    return String(made.paymentRequestId);
  };
  const charge = async (orderId: string, captureType: string): Promise<string> => {
    const body = { ...card, captureType, amount: 5, orderId };
    const path = '/api/payments/card/process-payment';
    return String((await again(() => callApi(rig, path, body, orderId))).paymentRequestId);
  };
  const hasStatus = (id: string, status: string): Promise<unknown> =>
    again(async () => {
      const found = await callApi(rig, `/api/payments/v1/payment-status/${id}`);
      if (found.status !== status) throw new Error(`${id} is ${found.status}, not ${status}`);
      return true;
    });
  const pay = async (orderId: string): Promise<string> => {
    const id = await create(orderId);
    // Killed on the way, the payer starts again.
    await again(async () => {
      const paid = await callApi(rig, `/api/sandbox/payment-requests/${id}/pay`, {}).catch(() =>
        callApi(rig, `/api/payments/v1/payment-status/${id}`),
      );
      if (paid.status !== 'COMPLETED') throw new Error(`${id} is ${paid.status}`);
      return true;
    });
    note('bank payment', orderId, id);
    return id;
  };
  const works: readonly ((orderId: string) => Promise<unknown>)[] = [
    async (orderId) => note('create', orderId, await create(orderId)),
    async (orderId) => refund(await pay(orderId), orderId),
    async (orderId) => {
      const word = hubWords[acknowledged.length % hubWords.length];
      const named = `${word} ${orderId.slice(0, 28)}`.trim();
      await refund(await pay(named), named);
    },
    async (orderId) => cancelRefund(await pay(orderId), orderId),
    async (orderId) => {
      const id = await create(orderId);
      const path = `/api/payment-request/cancel/${id}`;
      await again(() => callApi(rig, path, {}, `cancel-${orderId}`));
      note('cancelled request', orderId, id);
    },
    async (orderId) => {
      const id = await charge(orderId, 'MANUAL_CAPTURE');
      await hasStatus(id, 'AUTHORIZED');
      const path = `/api/payments/card/payment-request/${id}/cancel`;
      await again(() => callApi(rig, path, {}, `cancel-${orderId}`));
      note('cancelled charge', orderId, id);
    },
    async (orderId) => {
      const id = await charge(orderId, 'AUTO_CAPTURE');
      note('charge', orderId, id);
      await hasStatus(id, 'COMPLETED');
      await refund(id, orderId);
    },
    async (orderId) => {
      const id = await charge(orderId, 'MANUAL_CAPTURE');
      await hasStatus(id, 'AUTHORIZED');
      const path = `/api/payments/card/payment-request/${id}/capture`;
      await again(() => callApi(rig, path, {}, `capture-${orderId}`));
      note('capture', orderId, id);
    },
  ];
  const refund = async (id: string, orderId: string): Promise<string> => {
    const body = { paymentRequestId: id, amount: 1 };
    const made = await again(() => callApi(rig, '/api/refund', body, `refund-${id}`));
    const refundId = String(made.refundId);
    note('refund', orderId, id, refundId);
    return refundId;
  };
  const pause = (transferHubPaused: boolean): Promise<unknown> =>
    again(() => callApi(rig, '/api/sandbox/switches', { transferHubPaused }));
  /** Of a cancellation and a hand-over at the same moment one wins. */
  const cancelRefund = async (id: string, orderId: string): Promise<void> => {
    await pause(true);
    const refundId = await refund(id, orderId);
    await callApi(rig, `/api/refund/${refundId}/cancel`, undefined, undefined, 'DELETE').catch(
      () => undefined,
    );
    await pause(false);
    const refunds = await again(() =>
      callApi<readonly { readonly refundId: string; readonly status: string }[]>(
        rig,
        `/api/refund/${id}`,
      ),
    );
    if (refunds.find((each) => each.refundId === refundId)?.status === 'CANCELLED')
      note('cancelled refund', orderId, id, refundId);
  };
  const shop = async (first: number): Promise<void> => {
    for (let turn = first; !isStopped; turn += 1)
      await works[turn % works.length]?.(`load-${randomUUID()}`).catch((error: unknown) => {
        // Without an acknowledgement nothing is owed; the books are compared all the same.
        process.stdout.write(`a shop gave up: ${String(error).slice(0, 200)}\n`);
      });
  };
  const shops = Array.from({ length: shopCount }, (_, at) => shop(at * 4));
  return {
    acknowledged,
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(shops);
      await pause(false);
    },
  };
};

const saveCard = async (rig: Rig) => {
  const customer = await callApi(rig, '/api/customers', {
    fullName: 'Ada Payer',
    email: 'ada@example.com',
  });
  const customerId = String(customer.id);
  const body = { customerId: 'c', orderId: 'card', amount: 5, expiresIn: 36e5 };
  const saving = { atoaCustomerId: customerId, savePaymentMethod: true, paymentMethod: ['CARD'] };
  const made = await callApi(rig, '/api/payments/process-payment', { ...body, ...saving });
  const path = `/api/sandbox/payment-requests/${made.paymentRequestId}/pay`;
  await callApi(rig, path, { method: 'CARD', cardNumber });
  const cards = await callApi<readonly { readonly id: string }[]>(
    rig,
    `/api/customers/${customerId}/cards`,
  );
  return { customerId, paymentMethodId: String(cards[0]?.id) };
};
