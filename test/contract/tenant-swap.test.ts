import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requirementOf } from '../../contract/dashboard/index.ts';
import { dashboardOperations } from '../../contract/dashboard/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import { type SignedIn, signIn } from '../harness/dashboard/sign-in.ts';
import { type Fuzzed, openFuzzed } from './fuzz/open-fuzzed.ts';

// An owner names the rows of another business in every address of the dashboard that has an id in it.

type Reply = { readonly status: number; readonly body: Record<string, unknown> };
type Member = {
  readonly merchantId: string;
  readonly person: SignedIn;
  readonly changes: () => Promise<readonly string[]>;
};

let fuzzed: Fuzzed;
let intruder: Member;
let victim: Member;
let ids: Readonly<Record<string, string>>;

const join = async (): Promise<Member> => {
  const { merchant, changes } = await fuzzed.openLane();
  const { merchantId } = merchant;
  const person = await signIn(fuzzed.tools, { merchantId, origin: fuzzed.address });
  return { merchantId, person, changes };
};

const call = async (
  { merchantId, person }: Member,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> => {
  const base = `${fuzzed.address}/dashboard/api/merchants/${merchantId}/sandbox`;
  const reply = await fetch(`${base}${path}`, {
    method,
    headers: { ...person.headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};

/** Rows that only a paid payment or a linked bank would have, as the tables hold them. */
const fakeRows = (merchantId: string, made: Readonly<Record<string, string>>): string => {
  const tenant = `'${merchantId}', 'SANDBOX'`;
  const { customerId, paymentRequestId, accountAuthId, endpointId } = made;
  return `
    set search_path = florin; set session_replication_role = replica;
    insert into card (merchant_id, environment, card_id, customer_id, account_key, reference_id,
      reference_encrypted, brand, funding, last_four, expiry, saved_by_attempt_id,
      authenticated_at, created_at, updated_at)
    values (${tenant}, '${made.cardId}', '${customerId}', 'key', gen_random_uuid(), '\\x00', 'VISA', 'DEBIT',
      '4242', '12/2030', gen_random_uuid(), now(), now(), now());
    insert into refund (merchant_id, environment, refund_id, payment_request_id, attempt_id,
      payment_idempotency_id, order_id, store_id, secret_id, method, status, step, amount_pence,
      paid_pence, created_at, updated_at)
    values (${tenant}, '${made.refundId}', '${paymentRequestId}', gen_random_uuid(), 'p', 'o',
      gen_random_uuid(), gen_random_uuid(), 'PAY_BY_BANK', 'INITIATED', 'WAITING', 100, 100, now(), now());
    insert into payout (merchant_id, environment, payout_id, status, reference, sort_code,
      account_number, account_name, period_ends_business_at, created_at, updated_at)
    values (${tenant}, '${made.payoutId}', 'PENDING', 'r', '180002', '00000190', 'n', now(), now(), now());
    insert into bank_account (merchant_id, environment, account_id, institution_id, bank_name, currency,
      created_at)
    values (${tenant}, '${made.accountId}', 'mock-sandbox-v1', 'Bank', 'GBP', now());
    insert into bank_account_link (merchant_id, environment, authorisation_id, account_id,
      bank_account_reference, position)
    values (${tenant}, '${accountAuthId}', '${made.accountId}', 'r', 1);
    update bank_authorisation set status = 'LINKED', linked_at = now() where merchant_id = '${merchantId}';
    insert into event (merchant_id, environment, event_id, event_type, resource_id, sequence, dedupe_key,
      occurred_at)
    values (${tenant}, '${made.eventId}', 'PAYMENTS_STATUS', '${paymentRequestId}', 1, 'k', now());
    insert into event_body (merchant_id, environment, event_id, body, event_type, sequence)
    values (${tenant}, '${made.eventId}', '{}', 'PAYMENTS_STATUS', 1);
    insert into delivery (merchant_id, environment, endpoint_id, event_id, due_business_at,
      deadline_business_at, created_at)
    values (${tenant}, '${endpointId}', '${made.eventId}', now(), now(), now());
    insert into refund_approval (merchant_id, environment, approval_id, payment_request_id, attempt_id,
      payment_idempotency_id, order_id, amount_pence, status, proposed_by, proposed_by_name, created_at,
      updated_at)
    values (${tenant}, '${made.approvalId}', '${paymentRequestId}', gen_random_uuid(), 'p', 'o', 100,
      'WAITING', '${made.personId}', 'n', now(), now())`;
};

const make = async (): Promise<Readonly<Record<string, string>>> => {
  const post = async (path: string, body: object, name: string, method = 'POST') => {
    const reply = await call(victim, method, path, body);
    expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(200);
    return String(reply.body[name]);
  };
  const { merchantId } = victim;
  const colleague = await signIn(fuzzed.tools, { merchantId, role: 'cashier' });
  const order = { orderId: 'o-1', customerId: 'c-1', amount: 12.5, expiresIn: 3_600_000 };
  const url = 'https://hooks.example.com/in';
  const hook = { url, event: 'PAYMENTS_STATUS' };
  const redirectUrl = 'http://127.0.0.1/linked';
  const view = { page: 'payments', name: 'Mine', query: '?a=1' };
  const names = ['cardId', 'refundId', 'payoutId', 'accountId', 'approvalId', 'eventId'];
  const paid = await post('/api/payments/process-payment', order, 'paymentRequestId');
  const made: Record<string, string> = {
    ...Object.fromEntries(names.map((name) => [name, randomUUID()])),
    ...{ personId: colleague.personId, paymentRequestId: paid, id: paid },
    saleId: await post('/till/sales', { amount: 7.4, tillName: 'Till 1' }, 'paymentRequestId'),
    customerId: await post('/api/customers', { fullName: 'Grace', email: 'g@example.com' }, 'id'),
    endpointId: await post('/api/webhook/v2/endpoints', { url, events: ['PAYMENTS_STATUS'] }, 'id'),
    webhookId: await post('/api/webhook/merchant', hook, 'webhookId'),
    secretId: await post('/secrets', { name: 'Till' }, 'secretId'),
    storeId: await post('/stores', { locationName: 'Leeds' }, 'storeId'),
    inviteId: await post('/team/invites', { email: 'i@example.com', role: 'cashier' }, 'inviteId'),
    accountAuthId: await post('/api/bank/auth/initiate', { redirectUrl }, 'accountAuthId'),
    codeId: await post('/codes', { label: 'Table 7' }, 'codeId'),
    viewId: await post('/views', view, 'viewId', 'PUT'),
  };
  const client = await fuzzed.connect();
  await client.query(fakeRows(merchantId, made));
  const { rows } = await client.query(
    'select delivery_id from florin.delivery where event_id = $1',
    [made.eventId],
  );
  return { ...made, deliveryId: String(rows[0].delivery_id) };
};

beforeAll(async () => {
  fuzzed = await openFuzzed(1);
  [intruder, victim] = [await join(), await join()];
  ids = await make();
  await Promise.all([intruder.changes(), victim.changes()]);
});
afterAll(() => fuzzed.close());

const account = { sortCode: '107999', accountNumber: '88837491', name: 'Eve' };
const query = '?from=2026-01-01&before=2026-02-01&page=0&itemsPerPage=10';
/** What an address needs beside the id, so that it is the id that is refused. */
const bodies: Readonly<Record<string, object>> = {
  enterSandboxRefundAccount: { account },
  setStoreAccount: account,
  setPaymentCodeStatus: { status: 'DISABLED' },
  setEndpointStatus: { status: 'PAUSED' },
  mailPaymentLink: { email: 'eve@example.com' },
  declineRefund: { reason: 'No' },
  changeRole: { role: 'owner' },
  changeSecret: { name: 'Eve' },
  changeStore: { locationName: 'Eve' },
  replayWebhooks: { onlyFailed: true },
};

const named: readonly Operation[] = [...operations, ...dashboardOperations].filter(
  ({ id, path }) => requirementOf(id) && path.includes(':'),
);
const addressOf = ({ id, path }: Operation): string =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    String(id.endsWith('TillSale') ? ids.saleId : (ids[name] ?? `no ${name}`)),
  ) + (id === 'listBankTransactions' ? query : '');
const bodyOf = ({ id, method }: Operation): object | undefined =>
  method === 'GET' || method === 'DELETE' ? undefined : (bodies[id] ?? {});
const isOfAct = (name: string): boolean => !/audit_record/.test(name);

test('there are enough of them', () => {
  expect(named.length).toBeGreaterThan(45);
});

test.each(named.map((operation) => [operation.id, operation] as const))(
  '%s answers 404 for a row of another business, and changes nothing',
  async (_, operation) => {
    const reply = await call(intruder, operation.method, addressOf(operation), bodyOf(operation));
    expect([reply.status, reply.body.name], JSON.stringify(reply.body)).toEqual([404, 'NOT_FOUND']);
    const changed = [...(await intruder.changes()), ...(await victim.changes())].filter(isOfAct);
    expect(changed).toEqual([]);
  },
);

const last = ['DELETE', 'PUT', 'POST', 'GET'];
// A card is deleted before its customer.
const harmlessFirst = [...named].sort(
  (a, b) => last.indexOf(b.method) - last.indexOf(a.method) || b.path.length - a.path.length,
);

test.each(harmlessFirst.map((operation) => [operation.id, operation] as const))(
  '%s finds the same row for its own business',
  async (_, operation) => {
    const reply = await call(victim, operation.method, addressOf(operation), bodyOf(operation));
    expect(reply.status, JSON.stringify(reply.body)).not.toBe(404);
  },
);
