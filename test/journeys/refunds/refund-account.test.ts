import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const account = { sortCode: '089999', accountNumber: '66374958', name: 'Pat Payer' };

/** It fails the banks' modulus check. */
const wrongNumber = { sortCode: '107999', accountNumber: '88837492' };

let journey: Journey;
let operator: string;
beforeAll(async () => {
  journey = await openJourney();
  operator = (await createOperatorSecret(journey.sandbox.tools, 'Ada', null)).secret;
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object, secret?: string) =>
  journey.sandbox.request(method, path, { body, ...(secret ? { secret } : {}) });
const bySandbox = (refundId: string, entered: object = account) =>
  request('PUT', `/api/sandbox/refunds/${refundId}/account`, { account: entered });
const byOperator = (refundId: string, entered: object = account) => {
  const tenant = `${journey.sandbox.tenant.merchantId}/sandbox`;
  const path = `/api/operator/merchants/${tenant}/refunds/${refundId}/account`;
  return request('PUT', path, { account: entered }, operator);
};
const rows = <Row>(text: string, id: string): Promise<Row[]> =>
  journey.sandbox.tools.database.system<{ id: string }, Row>(
    { name: '', text, valueNames: ['id'] },
    { id },
  );

const casesOf = async (
  refundId: string,
  kind = 'REFUND_ACCOUNT_NEEDED',
): Promise<readonly string[]> => {
  const text = `select status from operator_case where kind = '${kind}' and subject = $1`;
  return (await rows<{ status: string }>(text, refundId)).map(({ status }) => status);
};

/** What a member finds by a reference. */
const named = async (reference: string) => {
  const { tools, tenant } = journey.sandbox;
  const { headers = {} } = await signIn(tools, { merchantId: tenant.merchantId });
  const path = `/dashboard/api/merchants/${tenant.merchantId}/sandbox/references`;
  const sent = { secret: null, headers };
  return (await journey.sandbox.request('GET', `${path}?reference=${reference}`, sent)).body.data;
};
/** The bank of this payer does not say which account paid. */
const waiting = async () => {
  const id = await journey.create();
  await journey.payer.pay(id, 'hidden-account');
  await journey.becomes(id, 'COMPLETED ACSC');
  return refundOf(id);
};

const refundOf = async (id: string) => {
  const made = await request('POST', '/api/refund', { paymentRequestId: id, amount: 5 });
  expect(made.body.status).toBe('INITIATED');
  const refundId = String(made.body.refundId);
  await becomes(id, refundId, 'PENDING', /^REFUND_ACCOUNT_NEEDED: /);
  return { id, refundId };
};

const becomes = (id: string, refundId: string, status: string, reason: RegExp | null = null) =>
  waitUntil(async () => {
    const { body } = await request('GET', `/api/refund/${id}`);
    const found = body.find((each: { refundId: string }) => each.refundId === refundId);
    const isMeant = reason === null || reason.test(found?.statusReason ?? '');
    if (found?.status === status && isMeant) return found;
    throw new Error(`${refundId} is ${JSON.stringify(found)}, not ${status}`);
  }, patience);

test('a refund whose payer is unknown waits, and goes to the account that is entered', async () => {
  const { id, refundId } = await waiting();
  expect(await casesOf(refundId)).toEqual(['OPEN']);
  const wrong = await bySandbox(refundId, { ...account, ...wrongNumber });
  expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'accountNumber']);
  const entered = await bySandbox(refundId);
  expect(entered.body).toEqual({ refundId, status: 'PENDING' });
  expect(await casesOf(refundId)).toEqual(['RESOLVED']);
  const done = await becomes(id, refundId, 'COMPLETED');
  expect(done).toMatchObject({ statusReason: null, bankReference: expect.stringMatching(/^FLT/) });
  expect(await named(done.bankReference.toLowerCase())).toMatchObject([
    { kind: 'REFUND', paymentRequestId: id },
  ]);
  // The bank of the customer credits it a little later than ours debits it.
  const [credited] = await waitUntil(async () => {
    const found = await journey.control.hubEntries(`${account.sortCode}${account.accountNumber}`);
    return found.length > 0 && found;
  }, patience);
  expect(credited).toMatchObject({ direction: 'CRDT', kind: 'transfer', amountPence: 500 });
  expect(await journey.eventsOf(refundId)).toEqual(['COMPLETED']);
});

test('an operator enters it by API and by command; the account is in no record', async () => {
  const first = await waiting();
  expect((await byOperator(first.refundId, { ...account, name: '' })).status).toBe(400);
  expect((await byOperator(first.refundId)).body).toMatchObject({ status: 'PENDING' });
  expect(await casesOf(first.refundId)).toEqual(['RESOLVED']);
  const [resolved] = await rows<object>(
    `select c.resolution, c.evidence ->> 'amountPence' as pence, h.actor
     from operator_case c join operator_case_history h using (case_id)
     where c.subject = $1`,
    first.refundId,
  );
  expect(resolved).toEqual({ resolution: 'The account was entered.', pence: '500', actor: 'Ada' });
  await becomes(first.id, first.refundId, 'COMPLETED');
  const second = await refundOf(first.id);
  const { merchantId } = journey.sandbox.tenant;
  const words = ['refund-account', merchantId, 'sandbox', second.refundId];
  const ran = await runCommand(
    'operate.ts',
    [...words, account.sortCode, account.accountNumber, account.name],
    { DATABASE_URL: journey.sandbox.databaseUrl, FLORIN_DATA: journey.sandbox.folder },
  );
  expect(ran.out).toContain('The refund is PENDING');
  await becomes(second.id, second.refundId, 'COMPLETED');
  const records = await request('GET', '/api/operator/audit-records', undefined, operator);
  const text = JSON.stringify(records.body);
  expect(text).toContain(second.refundId);
  expect(text).not.toMatch(/66374958|Pat Payer/);
  const [entered] = await rows<{ detail: string }>(
    `select detail from refund_history where trigger = 'accountEntered' and refund_id = $1::uuid`,
    first.refundId,
  );
  expect(entered).toEqual({ detail: 'Ada' });
});

longTest('a refund that is cancelled needs no account any more', async () => {
  const { id, refundId } = await waiting();
  const pause = (transferHubPaused: boolean) =>
    request('POST', '/api/sandbox/switches', { transferHubPaused });
  await pause(true);
  expect((await request('DELETE', `/api/refund/${refundId}/cancel`)).status).toBe(200);
  await pause(false);
  await becomes(id, refundId, 'CANCELLED');
  expect(await casesOf(refundId)).toEqual(['RESOLVED']);
});

test('no other refund can be diverted', async () => {
  const { id, refundId } = await waiting();
  const replies = await Promise.all([1, 2, 3].map(() => bySandbox(refundId)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  await becomes(id, refundId, 'COMPLETED');
  expect((await bySandbox(refundId)).body).toMatchObject({ name: 'INVALID_STATE', status: 409 });
  expect((await byOperator(refundId)).body).toMatchObject({ name: 'INVALID_STATE', status: 409 });
  expect((await bySandbox(id)).body).toMatchObject({ name: 'NOT_FOUND', status: 404 });
  expect((await byOperator(id)).body).toMatchObject({ name: 'NOT_FOUND', status: 404 });
  const path = `/api/sandbox/refunds/${refundId}/account`;
  const production = journey.sandbox.productionSecret;
  const elsewhere = await request('PUT', path, { account }, production);
  expect(elsewhere.body).toMatchObject({ name: 'SANDBOX_ONLY', status: 400 });
  const [{ other }] = (await rows<{ other: string }>(
    `insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select made.id::text, 'REFUND', $1::uuid, 'PRODUCTION', made.id
     from (select gen_random_uuid() as id) made returning public_id as other`,
    journey.sandbox.tenant.merchantId,
  )) as [{ other: string }];
  const mismatch = { name: 'ENVIRONMENT_MISMATCH', status: 400 };
  expect((await bySandbox(other)).body).toMatchObject(mismatch);
  expect((await byOperator(other)).body).toMatchObject(mismatch);
});

longTest('a refund that is overdue opens a case, which its completion resolves', async () => {
  const id = await journey.create({ enableTips: false, orderId: 'SIM-DELAY' });
  await journey.payer.pay(id);
  await journey.becomes(id, 'COMPLETED ACSC');
  const made = await request('POST', '/api/refund', { paymentRequestId: id, amount: 5 });
  const refundId = String(made.body.refundId);
  const isOpen = async () => (await casesOf(refundId, 'REFUND_OVERDUE')).join() === 'OPEN';
  // Half an hour later.
  const text = `update refund set due_at = statement_timestamp()
    where refund_id = $1::uuid and step = 'HANDED_OVER' returning refund_id`;
  await waitUntil(async () => (await rows(text, refundId)).length === 1, patience);
  await waitUntil(isOpen, patience);
  await journey.advance(602_000);
  await becomes(id, refundId, 'COMPLETED');
  expect(await casesOf(refundId, 'REFUND_OVERDUE')).toEqual(['RESOLVED']);
  const [history] = await rows<object>(
    `select h.actor, h.detail from operator_case c join operator_case_history h using (case_id)
     where c.subject = $1 and h.to_status = 'RESOLVED'`,
    refundId,
  );
  expect(history).toEqual({ actor: 'Florin', detail: 'The refund is COMPLETED.' });
});
