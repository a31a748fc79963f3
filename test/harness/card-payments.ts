import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { pence } from '../../service/src/kernel/pence.ts';
import { ensureProcessorCustomer } from '../../service/src/modules/cards/index.ts';
import {
  findOwnPayment,
  pollCardProcessor,
  recordCardPage,
  startCardAttempt,
} from '../../service/src/modules/payments/index.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import type { Sandbox, SandboxReply } from './open-sandbox.ts';
import { waitUntil } from './wait-until.ts';

export type CardPayments = ReturnType<typeof cardPayments>;

export type TestCard = { readonly customerId: string; readonly paymentMethodId: string };

type OpenedPage = { readonly id: string; readonly attemptId: string; readonly url: string };

/** The processor's view of one payment (GET /control/cards/payments). */
export type ProcessorLine = {
  readonly paymentIntentId: string;
  readonly status: string;
  readonly amount: number;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
  readonly metadata: { readonly attemptId?: string; readonly paymentRequestId?: string };
};

const page = {
  status: 'AWAITING_AUTHORIZATION',
  step: 'OPENING_PAGE',
  amountPence: pence(500),
  tipPence: pence(0),
  captureType: 'AUTO_CAPTURE',
  initiator: 'CUSTOMER',
  cardId: null,
  facts: null,
  railStateEncrypted: null,
  openForMs: 60_000,
  firstPollMs: null,
  consumerName: null,
  applicationUserId: null,
  paymentDevice: null,
} as const;

type CardSandbox = Pick<
  Sandbox,
  'tools' | 'tenant' | 'rails' | 'url' | 'folder' | 'simulator' | 'databaseUrl' | 'request'
>;

/** Cards of a sandbox: saved on the processor's page, charged over HTTP, compared with its books. */
export const cardPayments = (sandbox: CardSandbox) => {
  const { tools, tenant, rails, request } = sandbox;
  let customers = 0;
  const newCustomer = async (): Promise<string> => {
    customers += 1;
    const body = { fullName: 'Ada Lovelace', email: `ada${customers}@example.com` };
    return (await request('POST', '/api/customers', { body })).body.id;
  };
  /** A card page of a request, as the checkout opens it; it saves the card of a customer. */
  const openPage = async (more: object = {}, saveFor?: string): Promise<OpenedPage> => {
    const rail = await rails.cardRails.need(tenant);
    const body = { customerId: 'c', orderId: 'on a page', amount: 5, ...more };
    const id = (await request('POST', '/api/payments/process-payment', { body })).body
      .paymentRequestId;
    const requested = await findOwnPayment(tools, tenant, id);
    const started = await startCardAttempt(tools, requested, () => ({
      ...page,
      accountKey: rail.accountKey,
    }));
    if (started.kind !== 'STARTED') throw new Error(started.why);
    const { attemptId } = started.attempt;
    const opened = await rail.openSession({
      attemptId,
      paymentRequestId: id,
      amountPence: pence(500),
      description: 'on a page',
      captureMethod: 'AUTOMATIC',
      returnUrl: `${sandbox.url}/back`,
      ...(saveFor && { customerReference: saveFor, saveCard: { recurrenceType: 'unscheduled' } }),
    });
    if (opened.kind !== 'OPENED') throw new Error(opened.kind);
    await recordCardPage(tools, started.payment, attemptId, opened);
    return { id, attemptId, url: opened.url };
  };
  const saveCard = async (cardNumber: string, of?: string): Promise<TestCard> => {
    const customerId = of ?? (await newCustomer());
    const rail = await rails.cardRails.need(tenant);
    const customer = await ensureProcessorCustomer(tools, rail, tenant, customerId);
    if (customer.kind !== 'READY' || !rails.payerRail) throw new Error(customer.kind);
    const saving = {
      ...{ savePaymentMethod: true, atoaCustomerId: customerId },
      paymentMethod: ['CARD', 'PAY_BY_BANK'],
    };
    const { id, attemptId, url } = await openPage(saving, customer.customerReference);
    await rails.payerRail.payByCard(url, { cardNumber });
    await waitUntil(async () => {
      const after = await pollCardProcessor({ ...tools, ...rails }, tenant, id, attemptId);
      return after?.status === 'PAID';
    });
    const cards = (await request('GET', `/api/customers/${customerId}/cards`)).body;
    if (!cards[0]) throw new Error(`${cardNumber.slice(-4)} was not saved`);
    return { customerId, paymentMethodId: cards[0].id };
  };
  const charge = (
    card: TestCard,
    more: object = {},
    sent: { headers?: Record<string, string>; secret?: string } = {},
  ): Promise<SandboxReply> =>
    request('POST', '/api/payments/card/process-payment', {
      body: { ...card, captureType: 'AUTO_CAPTURE', amount: 12.5, orderId: 'order-1', ...more },
      ...sent,
    });
  const status = async (id: string) =>
    (await request('GET', `/api/payments/v1/payment-status/${id}`)).body;
  return {
    newCustomer,
    openPage,
    saveCard,
    charge,
    until: waitUntil,
    status,
    charged: async (card: TestCard, more: object = {}): Promise<string> =>
      (await charge(card, more)).body.paymentRequestId,
    reaches: (id: string, wanted: string) =>
      waitUntil(async () => {
        const found = await status(id);
        return found.status === wanted && found;
      }),
    capture: (id: string, sent: { headers?: Record<string, string>; secret?: string } = {}) =>
      request('POST', `/api/payments/card/payment-request/${id}/capture`, sent),
    cancel: (id: string, body?: object, sent: { headers?: Record<string, string> } = {}) =>
      request('POST', `/api/payments/card/payment-request/${id}/cancel`, {
        ...sent,
        ...(body && { body }),
      }),
    advance: (advanceMs: number) => request('POST', '/api/sandbox/clock', { body: { advanceMs } }),
    control: openProcessorControl(sandbox),
    rows: rowsOf(sandbox),
  };
};

/** As the merchant would in the processor's own dashboard. */
export const refundAtProcessor = async (
  { folder }: Pick<Sandbox, 'folder'>,
  paymentIntentId: string,
  pence: number,
  more: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const file = join(simulatorFolder(folder), 'trust', 'registration.json');
  const { cards } = JSON.parse(await readFile(file, 'utf8'));
  const reply = await fetch(`${cards.apiUrl}/v1/refunds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cards.secretKey}` },
    body: new URLSearchParams({ payment_intent: paymentIntentId, amount: String(pence), ...more }),
  });
  if (!reply.ok) throw new Error(`a refund at the processor: ${await reply.text()}`);
};

/** The control calls of the simulated processor. */
const openProcessorControl = ({ folder, simulator }: CardSandbox) => {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const file = join(simulatorFolder(folder), 'trust', 'registration.json');
    const { controlToken } = JSON.parse(await readFile(file, 'utf8'));
    const reply = await fetch(`${simulator.url}/control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlToken}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const payments = async (): Promise<readonly ProcessorLine[]> => {
    const lines: ProcessorLine[] = [];
    for (;;) {
      const after = lines.at(-1)?.paymentIntentId;
      const query = `pageSize=100${after ? `&after=${after}` : ''}`;
      const more = (await call('GET', `/cards/payments?${query}`)) as ProcessorLine[];
      lines.push(...more);
      if (more.length < 100) return lines;
    }
  };
  return {
    fault: (operation: string, kind: string, more: object = {}) =>
      call('POST', '/faults', { operation, kind, ...more }),
    noFaults: () => call('DELETE', '/faults'),
    payments,
    ofRequest: async (id: string) =>
      (await payments()).filter(({ metadata }) => metadata.paymentRequestId === id),
  };
};

const rowsOf =
  ({ databaseUrl }: CardSandbox) =>
  async (text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query('set search_path = florin');
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
