import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankFeedJobs } from '../../service/src/modules/bank-feed/jobs.ts';
import { encryptRailState } from '../../service/src/modules/payments/index.ts';
import { paymentJobs } from '../../service/src/modules/payments/jobs.ts';
import { payoutJobs } from '../../service/src/modules/payouts/jobs.ts';
import { refundJobs } from '../../service/src/modules/refunds/jobs.ts';
import {
  attempt,
  disputeAnswer,
  held,
  link,
  payout,
  refund,
} from '../../service/src/modules/stuck-work/test/planted-work.ts';
import type { CardOutcome } from '../../service/src/rails/card-rail.ts';
import { noCardRails } from '../harness/no-card-rails.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';

/** Work that is put off by a row of `work_lease` when it fails, with its reason. */
let isolation: Isolation;
beforeAll(async () => {
  isolation = await openIsolation();
});
afterAll(() => isolation.close());

const anHourAgo = `now() - interval '1 hour'`;
const inAnHour = `now() + interval '1 hour'`;
const justNow = `now() - interval '1 second'`;
const endOfVersions = '2147483647';
const failed = { canHurry: true, lastFailure: expect.stringMatching(/range/) };

test('a link that cannot be ended is shown with its reason, and ended when it can be', async () => {
  const { service, plant, rows, stuck, otherId } = isolation;
  const late = (due_at: string) => ({ status: `'OPEN'`, due_at, due_business_at: due_at });
  const bad = await plant(link({ ...late(anHourAgo), version: endOfVersions }));
  const good = await plant(link(late(justNow)), otherId);
  const jobs = bankFeedJobs({ ...service.tools, bankDataRails: { find: () => null } as never });
  expect(await jobs.endDueAuthorisations()).toBe(1);
  expect(await stuck('END_LINK')).toMatchObject([{ workId: bad, attempts: 1, ...failed }]);
  await rows('update bank_authorisation set version = 1 where authorisation_id = $1', [bad]);
  expect(await isolation.hurry('END_LINK', bad)).toBe(200);
  expect(await jobs.endDueAuthorisations()).toBe(1);
  expect(await stuck('END_LINK')).toEqual([]);
  const ended = await rows(
    `select 1 from bank_authorisation where authorisation_id in ($1, $2) and ended_at is not null`,
    [bad, good],
  );
  expect(ended).toHaveLength(2);
});

test('a link whose state no key opens is put off with its reason, and read when one does', async () => {
  const { service, plant, rows, stuck, otherId } = isolation;
  const linked = { due_business_at: inAnHour, reconfirm_by: inAnHour };
  const unreadable = { ...linked, rail_state_encrypted: `'\\x00'`, refresh_due_at: anHourAgo };
  const bad = await plant(link(unreadable));
  const good = await plant(link({ ...linked, refresh_due_at: justNow }), otherId);
  const bankDataRails = { find: () => null } as never;
  const jobs = bankFeedJobs({ ...service.tools, bankDataRails });
  expect([await jobs.refreshBankAccounts(), await jobs.refreshBankAccounts()]).toEqual([0, 0]);
  const refreshed = await rows(
    'select authorisation_id from bank_authorisation where refresh_failures = 1',
  );
  expect(refreshed).toEqual([{ authorisation_id: good }]);
  await rows('update bank_authorisation set refresh_leased_until = null');
  expect(await stuck('REFRESH_ACCOUNTS')).toMatchObject([
    { workId: bad, attempts: 1, canHurry: true, lastFailure: expect.any(String) },
  ]);
  await rows('update bank_authorisation set rail_state_encrypted = null');
  expect(await isolation.hurry('REFRESH_ACCOUNTS', bad)).toBe(200);
  await jobs.refreshBankAccounts();
  expect(await stuck('REFRESH_ACCOUNTS')).toEqual([]);
});

/** Payable money that no bigint can sum up. */
const spoilBooks = (merchantId: string) =>
  isolation.rows(
    `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
       reason, resource_id, store_id, occurred_at)
     select s.merchant_id, 'SANDBOX', gen_random_uuid(), 'MERCHANT_PAYABLE', -9223372036854775000,
       'TEST', gen_random_uuid(), s.store_id, now()
     from store s, generate_series(1, 2) where s.merchant_id = $1 and s.environment = 'SANDBOX'`,
    [merchantId],
  );

test('a merchant whose money cannot be summed up keeps no other’s refunds and payouts', async () => {
  const { service, plant, rows, stuck, merchantId, otherId } = isolation;
  await spoilBooks(merchantId);
  await rows(
    `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence,
       reason, resource_id, store_id, occurred_at)
     select merchant_id, 'SANDBOX', gen_random_uuid(), 'MERCHANT_PAYABLE', -1250, 'TEST',
       gen_random_uuid(), store_id, now() from store
     where merchant_id = $1 and environment = 'SANDBOX'`,
    [otherId],
  );
  const tools = { ...service.tools, transferRails: { find: () => null }, cardRails: noCardRails };
  const payouts = payoutJobs(tools);
  await payouts.fillPayouts();
  const filled = await rows('select merchant_id, amount_pence::int as pence from payout');
  expect(filled).toEqual([{ merchant_id: otherId, pence: 1250 }]);
  const filling = { workId: merchantId, attempts: 1, ...failed };
  expect(await stuck('FILL_PAYOUT')).toMatchObject([filling]);
  const ofRequest = { status: `'INITIATED'`, due_at: justNow, method: `'CARD'` };
  await plant(refund(ofRequest));
  const refunds = refundJobs(tools);
  await refunds.handOverRefunds();
  await refunds.handOverRefunds();
  const handingOver = { workId: merchantId, attempts: 1, ...failed };
  expect(await stuck('HAND_OVER_REFUND')).toMatchObject([handingOver]);
  await rows('delete from ledger_entry where merchant_id = $1', [merchantId]);
  for (const kind of ['FILL_PAYOUT', 'HAND_OVER_REFUND'])
    expect(await isolation.hurry(kind, merchantId)).toBe(200);
  await rows('update refund set due_at = null');
  await payouts.fillPayouts();
  await refunds.handOverRefunds();
});

test('a payout that cannot be written keeps none of its merchant, and none of another', async () => {
  const { service, plant, rows, stuck, otherId } = isolation;
  const empty = (account: string) => ({ amount_pence: '0', account_number: `'${account}'` });
  const bad = await plant(
    payout({ ...empty('11111111'), due_at: anHourAgo, version: endOfVersions }),
  );
  const good = [
    await plant(payout({ ...empty('22222222'), due_at: justNow })),
    await plant(payout({ ...empty('33333333'), due_at: justNow }), otherId),
  ];
  const transferRails = { find: () => ({}) as never };
  const jobs = payoutJobs({ ...service.tools, transferRails });
  expect([await jobs.closePayouts(), await jobs.closePayouts()]).toEqual([2, 0]);
  const continued = await rows(
    'select payout_id from payout where due_at > now() and payout_id = any ($1)',
    [[bad, ...good]],
  );
  expect(continued.map(({ payout_id }) => payout_id).sort()).toEqual(good.sort());
  expect(await stuck('CLOSE_PAYOUT')).toMatchObject([{ workId: bad, attempts: 1, ...failed }]);
  await rows('update payout set version = 1 where payout_id = $1', [bad]);
  expect(await isolation.hurry('CLOSE_PAYOUT', bad)).toBe(200);
  expect(await jobs.closePayouts()).toBe(1);
  expect(await stuck('CLOSE_PAYOUT')).toEqual([]);
});

test('a capture whose account no key opens keeps no other, and each is captured once', async () => {
  const { service, plant, rows, stuck, otherId } = isolation;
  const authorised = async (capture_at: string, account: string, merchantId: string) => {
    const id = await isolation.requested(merchantId);
    await rows('update payment_request set live_attempt_count = 1 where payment_request_id = $1', [
      id,
    ]);
    const values = { ...held, capture_at, account_key: `'${account}'` };
    const attemptId = await plant(
      attempt({ ...values, payment_request_id: `'${id}'`, capture_business_at: capture_at }),
      merchantId,
    );
    const state = encryptRailState(service.tools.secrets, attemptId, account);
    await rows('update attempt set rail_state_encrypted = $2 where attempt_id = $1', [
      attemptId,
      state,
    ]);
    return attemptId;
  };
  const bad = await authorised(anHourAgo, 'unreadable', isolation.merchantId);
  await authorised(justNow, 'sound', isolation.merchantId);
  await authorised(justNow, 'other', otherId);
  const stateless = await authorised(anHourAgo, 'stateless', otherId);
  const missing = await authorised(anHourAgo, 'missing', otherId);
  await rows('update attempt set rail_state_encrypted = null where attempt_id = $1', [stateless]);
  await rows(`update attempt set payment_request_id = gen_random_uuid() where attempt_id = $1`, [
    missing,
  ]);
  const captured: string[] = [];
  let isReadable = false;
  const capture = async (state: string): Promise<CardOutcome> => {
    captured.push(state);
    return { kind: 'PENDING', state, lastDecline: null };
  };
  const findAccount = async (_: object, accountKey: string) => {
    if (accountKey === 'unreadable' && !isReadable) throw new Error('the keys cannot be opened');
    return { accountKey, capture } as never;
  };
  const jobs = paymentJobs({ ...service.tools, cardRails: { findAccount } });
  expect(await jobs.captureBeforeExpiry()).toBe(2);
  expect(await jobs.captureBeforeExpiry()).toBe(0);
  expect(captured.sort()).toEqual(['other', 'sound']);
  await rows('update attempt set leased_until = null where capture_at is not null');
  const shown = await stuck('CAPTURE');
  expect(new Map(shown.map(({ workId, lastFailure }) => [workId, lastFailure]))).toEqual(
    new Map([
      [bad, 'the keys cannot be opened'],
      [stateless, 'the state of the payment to capture is missing'],
      [missing, 'the payment to capture is missing, or was not by card'],
    ]),
  );
  for (const each of shown) expect(each).toMatchObject({ attempts: 1, canHurry: true });
  isReadable = true;
  expect(await isolation.hurry('CAPTURE', bad)).toBe(200);
  expect(await jobs.captureBeforeExpiry()).toBe(1);
  expect(captured.sort()).toEqual(['other', 'sound', 'unreadable']);
});

test('an answer whose account no key opens keeps no other, and is sent when one does', async () => {
  const { service, plant, rows, stuck, merchantId, otherId } = isolation;
  const answered = async (due_at: string, account: string, ofMerchantId: string) => {
    const id = await isolation.requested(ofMerchantId);
    const ofPayment = { payment_request_id: `'${id}'`, account_key: `'${account}'` };
    const attemptId = await plant(
      attempt({ ...held, ...ofPayment, status: `'COMPLETED'`, step: `'ENDED'` }),
      ofMerchantId,
    );
    const of = { payment_request_id: `'${id}'`, attempt_id: `'${attemptId}'`, due_at };
    return plant(disputeAnswer({ ...of, dispute_reference: `'dp_${account}'` }), ofMerchantId);
  };
  const bad = await answered(anHourAgo, 'closed', merchantId);
  const good = await answered(justNow, 'open', otherId);
  let isReadable = false;
  const answerDispute = async () => ({ kind: 'REFUSED', code: 'late', description: 'Too late.' });
  const findAccount = async (_: object, accountKey: string) => {
    if (accountKey === 'closed' && !isReadable) throw new Error('the keys cannot be opened');
    return { accountKey, answerDispute } as never;
  };
  const jobs = paymentJobs({ ...service.tools, cardRails: { findAccount } });
  expect([await jobs.sendDisputeAnswers(), await jobs.sendDisputeAnswers()]).toEqual([1, 0]);
  expect(await stuck('ANSWER_DISPUTE')).toMatchObject([
    { workId: bad, attempts: 1, canHurry: true, lastFailure: 'the keys cannot be opened' },
  ]);
  isReadable = true;
  expect(await isolation.hurry('ANSWER_DISPUTE', bad)).toBe(200);
  expect(await jobs.sendDisputeAnswers()).toBe(1);
  const after = await rows('select answer_id, status, refusal from dispute_answer');
  const refused = { status: 'DRAFT', refusal: 'Too late.' };
  const byId = (one: { answer_id: string }, other: { answer_id: string }) =>
    one.answer_id < other.answer_id ? -1 : 1;
  expect(after.sort(byId)).toEqual(
    [bad, good].map((id) => ({ answer_id: id, ...refused })).sort(byId),
  );
});

test('a blocked attempt whose payment is missing keeps the case of no other', async () => {
  const { service, plant, rows, stuck, merchantId, otherId } = isolation;
  const blocked = (updated_at: string, paymentRequestId: string, ofMerchantId = merchantId) =>
    plant(
      attempt({
        ...{ payment_request_id: `'${paymentRequestId}'`, updated_at, status: `'FAILED'` },
        ...{ step: `'SUBMITTED'`, ended_reason: `'BLOCKED'` },
      }),
      ofMerchantId,
    );
  const missing = randomUUID();
  const bad = await blocked(anHourAgo, missing);
  const present = await isolation.requested(merchantId);
  const good = await blocked(justNow, present);
  const other = await blocked(justNow, await isolation.requested(otherId), otherId);
  const jobs = paymentJobs(service.tools);
  expect([await jobs.alertOperator(), await jobs.alertOperator()]).toEqual([2, 0]);
  const subjects = async () => {
    const { body } = await service.operate('GET', '/cases?status=OPEN&size=100');
    return body.data
      .filter(({ kind }: { kind: string }) => kind === 'PAYMENT_BLOCKED')
      .map(({ subject }: { subject: string }) => subject)
      .sort();
  };
  expect(await subjects()).toEqual([good, other].sort());
  expect(await stuck('ALERT')).toMatchObject([
    { workId: bad, attempts: 1, canHurry: true, lastFailure: 'the blocked payment is missing' },
  ]);
  await rows('update attempt set payment_request_id = $2, position = 2 where attempt_id = $1', [
    bad,
    present,
  ]);
  expect(await isolation.hurry('ALERT', bad)).toBe(200);
  expect(await jobs.alertOperator()).toBe(1);
  expect(await subjects()).toEqual([bad, good, other].sort());
});
