import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorSecret } from '../../service/src/modules/operators/index.ts';
import { loadPayment } from '../../service/src/modules/payments/index.ts';
import { effectsOfOperations } from '../contract/effects-of-operations.ts';
import { type CardPayments, cardPayments, type TestCard } from '../harness/card-payments.ts';
import { type SignedIn, signIn } from '../harness/dashboard/sign-in.ts';
import { type CuttingProxy, openCuttingProxy } from '../harness/database/open-cutting-proxy.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openSandbox, type Sandbox, type SandboxReply } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

const timeout = 60_000;

let proxy: CuttingProxy;
let sandbox: Sandbox;
let cards: CardPayments;
let card: TestCard;
let direct: pg.Client;
let operator: string;
let owner: SignedIn;
let manager: SignedIn;

beforeAll(async () => {
  proxy = await openCuttingProxy();
  sandbox = await openSandbox({}, proxy.connectThrough);
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
  direct = new pg.Client({ connectionString: sandbox.databaseUrl });
  await direct.connect();
  await direct.query('set search_path = florin');
  const { tools, merchant, url } = sandbox;
  ({ secret: operator } = await createOperatorSecret(tools, 'Ada', null));
  const { merchantId } = merchant;
  owner = await signIn(tools, { merchantId, role: 'owner', origin: url });
  manager = await signIn(tools, { merchantId, role: 'manager', origin: url });
  // What is sent and polled by itself would be counted, too.
  await sandbox.stopWorker();
  await sandbox.request('POST', '/api/sandbox/switches', { body: { transferHubPaused: true } });
});
afterAll(async () => {
  await direct.end();
  await sandbox.close();
  proxy.close();
});

type Order = {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly secret?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

const call = ({ method = 'POST', path, ...sent }: Order): Promise<SandboxReply> =>
  sandbox.request(method, path, sent);
const send = (method: string, path: string, body?: object) => call({ method, path, body });
const byMember = (path: string, body: object = {}, by = owner): Order => ({
  path: `/dashboard/api/merchants/${sandbox.merchant.merchantId}/sandbox${path}`,
  ...{ body, secret: null, headers: by.headers },
});
const till = (body: object): Order => byMember('/till/sales', body);
const anyOrder = () => sandbox.tools.ids.uuid();
const order = { customerId: 'c', orderId: 'o', amount: 12.5 };
const requested = async (): Promise<string> =>
  (await send('POST', '/api/payments/process-payment', order)).body.paymentRequestId;
const paid = async (): Promise<string> => {
  const id = await requested();
  await send('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
  return id;
};
const authorised = async (): Promise<string> => {
  const id = await cards.charged(card, {
    captureType: 'MANUAL_CAPTURE',
    orderId: anyOrder(),
  });
  await cards.reaches(id, 'AUTHORIZED');
  return id;
};
const sale = async (): Promise<string> =>
  (await call(till({ amount: 5, tillName: 'Bar' }))).body.paymentRequestId;
const proposed = async (): Promise<string> => {
  const body = { paymentRequestId: await paid(), amount: 5 };
  return (await call(byMember('/refund-approvals', body))).body.approvalId;
};
const refunded = async (): Promise<string> => {
  const body = { paymentRequestId: await paid(), amount: 5 };
  return (await send('POST', '/api/refund', body)).body.refundId;
};
const withoutAccount = async (): Promise<string> => {
  const refundId = await refunded();
  await direct.query(
    `update refund set status = 'PENDING', waits_for = 'REFUND_ACCOUNT_NEEDED', due_at = null,
       due_business_at = null where refund_id = $1`,
    [refundId],
  );
  return refundId;
};
const account = { sortCode: '089999', accountNumber: '66374958', name: 'Pat Payer' };
const operated = () => `/api/operator/merchants/${sandbox.merchant.merchantId}/sandbox`;
const attemptOf = async (id: string): Promise<string> =>
  (await loadPayment(sandbox.tools.database, sandbox.tenant, id))?.attempts[0]?.attemptId ?? '';
/** Its charge was sent, and nothing was heard of it since. */
const open = async (): Promise<string> => {
  await cards.control.fault('cards:intent', 'status', { status: 500, times: 20 });
  const id = await cards.charged(card, { orderId: anyOrder() });
  await cards.reaches(id, 'PENDING');
  return id;
};
const unmatched = async (): Promise<string> =>
  (
    await direct.query(`insert into account_credit (environment, entry_key, status, amount_pence,
       is_returned, due_at, unmatched_reason)
     values ('SANDBOX', gen_random_uuid()::text, 'UNMATCHED', 1250, false, null, 'NO_PAYMENT')
     returning credit_id as id`)
  ).rows[0].id;

const ofCard = '/api/payments/card/payment-request';
const change = 'payment_commit_change';

/** The statement whose answer is lost, and what is sent: prepared anew for each call. */
const cases: Readonly<Record<string, readonly [statement: string, () => Promise<Order>]>> = {
  requestPayment: [
    'payment_request_insert',
    async () => ({ path: '/api/payments/process-payment', body: order }),
  ],
  chargeCard: [
    'card_charge_insert',
    async () => ({
      path: '/api/payments/card/process-payment',
      body: { ...card, orderId: anyOrder(), captureType: 'AUTO_CAPTURE', amount: 5 },
    }),
  ],
  captureCardPayment: [change, async () => ({ path: `${ofCard}/${await authorised()}/capture` })],
  cancelCardPayment: [change, async () => ({ path: `${ofCard}/${await authorised()}/cancel` })],
  cancelPaymentRequest: [
    change,
    async () => ({ path: `/api/payment-request/cancel/${await requested()}` }),
  ],
  payInSandbox: [
    change,
    async () => ({ path: `/api/sandbox/payment-requests/${await requested()}/pay`, body: {} }),
  ],
  securePaymentAuth: [
    change,
    async () => ({
      path: '/api/payments/v1/secure-payment-auth',
      body: {
        institutionId: 'mock-sandbox-v1',
        paymentRequestSource: { paymentRequestId: await requested() },
      },
    }),
  ],
  startTillSale: ['payment_request_insert', async () => till({ amount: 5, tillName: 'Bar' })],
  voidTillSale: [change, async () => byMember(`/till/sales/${await sale()}/void`)],
  requestRefund: [
    'refund_insert',
    async () => ({ path: '/api/refund', body: { paymentRequestId: await paid(), amount: 5 } }),
  ],
  approveRefund: [
    'refund_insert',
    async () => byMember(`/refund-approvals/${await proposed()}/approve`, {}, manager),
  ],
  declineRefund: [
    'refund_approval_end',
    async () =>
      byMember(`/refund-approvals/${await proposed()}/decline`, { reason: 'No.' }, manager),
  ],
  withdrawRefund: [
    'refund_approval_end',
    async () => byMember(`/refund-approvals/${await proposed()}/withdraw`),
  ],
  cancelRefund: [
    'refund_commit',
    async () => ({ method: 'DELETE', path: `/api/refund/${await refunded()}/cancel` }),
  ],
  enterSandboxRefundAccount: [
    'refund_commit',
    async () => ({
      ...{ method: 'PUT', body: { account } },
      path: `/api/sandbox/refunds/${await withoutAccount()}/account`,
    }),
  ],
  enterRefundAccount: [
    'refund_commit',
    async () => ({
      ...{ method: 'PUT', body: { account, evidence: 'A call.' }, secret: operator },
      path: `${operated()}/refunds/${await withoutAccount()}/account`,
    }),
  ],
  recordPaymentOutcome: [
    change,
    async () => {
      const id = await open();
      const body = { outcome: 'COMPLETED', evidence: 'The dashboard of the processor.' };
      const path = `${operated()}/payments/${id}/${await attemptOf(id)}/outcome`;
      return { path, body, secret: operator };
    },
  ],
  matchCredit: [
    'credit_match',
    async () => {
      const [creditId, paymentRequestId] = [await unmatched(), await paid()];
      const { merchantId } = sandbox.merchant;
      const of = { merchantId, environment: 'sandbox', paymentRequestId };
      const attemptId = await attemptOf(paymentRequestId);
      const body = { ...of, attemptId, evidence: 'The statement names it.' };
      return { path: `/api/operator/credits/${creditId}/match`, body, secret: operator };
    },
  ],
  deleteCustomer: [
    'card_delete_customer',
    async () => ({ method: 'DELETE', path: `/api/customers/${await cards.newCustomer()}` }),
  ],
  rotateSigningSecret: [
    'webhook_secret_rotate',
    async () => ({ path: '/api/sandbox/webhook/signing-secret', body: {} }),
  ],
};

const effects = `select jsonb_build_object(
  'requests', (select count(*) from payment_request), 'attempts', (select count(*) from attempt),
  'moves', (select count(*) from payment_history), 'refunds', (select count(*) from refund),
  'refund moves', (select count(*) from refund_history), 'entries', (select count(*) from ledger_entry),
  'approvals', (select count(*) from refund_approval_history), 'events', (select count(*) from event),
  'pence', (select sum(refunded_pence + refund_reserved_pence) from attempt),
  'paid', (select sum(paid_pence) from payment_request),
  'cases', (select count(*) from operator_case_history),
  'credits', (select count(*) from account_credit where status = 'MATCHED'),
  'customers', (select count(*) from customer),
  'keys', (select count(*) from webhook_signing_secret)) as found`;

/** A charge is sent after its answer. */
const beingCharged = "select from attempt where step = 'CHARGING' and leased_until > now()";

const count = async (): Promise<Record<string, number>> => {
  const { rows } = await direct.query(effects);
  const lines = await cards.control.payments();
  const sum = (name: 'captured' | 'refunded' | 'held') =>
    lines.reduce((total, line) => total + line[name], 0);
  return { ...rows[0].found, captured: sum('captured'), returned: sum('refunded') };
};

/** What the call, and the same call again after a lost answer, have done. */
const effectOf = async (call: () => Promise<unknown>): Promise<Record<string, number>> => {
  const before = await count();
  await call();
  await waitUntil(async () => (await direct.query(beingCharged)).rowCount === 0);
  const after = await count();
  return Object.fromEntries(
    Object.entries(after).map(([name, found]) => [name, found - (before[name] ?? 0)]),
  );
};

/** A start that was lost is given up, and another is made: only one of them is paid. */
const startsAgain = new Set(['payInSandbox', 'securePaymentAuth']);
const isStart = (name: string): boolean => name === 'attempts' || name === 'moves';
/** A secret is shown once: who never saw it needs another. */
const isShownOnce = (name: string): boolean => name === 'keys';

const isBack = (): Promise<unknown> =>
  // The connections that were cut are found out first.
  waitUntil(async () => (await send('GET', '/api/payments/stores')).status === 200);

// One of three: of each the others differ in the statement that is lost alone.
const shown = Object.keys(cases).filter((_, at) => isLongRun || at % 3 === 0);

test.each(shown)('%s: a lost answer does nothing twice', { timeout }, async (id) => {
  const [statement, prepare] = cases[id] ?? [];
  if (!statement || !prepare) throw new Error(id);
  const clean = await prepare();
  const once = await effectOf(async () => expect(await call(clean)).toMatchObject({ status: 200 }));
  expect(Object.values(once).some((times) => times !== 0)).toBe(true);
  const order = await prepare();
  const before = proxy.cuts();
  const lost = await effectOf(async () => {
    proxy.cutAfter(statement);
    const first = await call(order);
    proxy.cutAfter('');
    expect([proxy.cuts(), first.body]).toEqual([before + 1, first.body]);
    if (first.status === 200) return;
    expect([first.status, first.body.message]).toEqual([503, expect.stringMatching(/not known/)]);
    await isBack();
    await call(order);
  });
  const compared = Object.entries(lost).filter(
    ([name]) => !isShownOnce(name) && !(startsAgain.has(id) && isStart(name)),
  );
  for (const [name, times] of compared)
    expect([name, Math.abs(times) <= Math.abs(once[name] ?? 0)]).toEqual([name, true]);
});

test('every operation that moves money is among them', () => {
  expect(effectsOfOperations.movesMoney.filter((id) => !(id in cases))).toEqual([]);
});
