import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { reconcileBalances } from '../../../service/src/modules/transfers/index.ts';
import { compareCollectingAccount } from '../../harness/invariants/compare-collecting-account.ts';
import { openSimulatorControl } from '../../harness/invariants/open-simulator-control.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const timeout = 120_000;
const hour = 60 * 60_000;
const day = 24 * hour;
const account = { sortCode: '180002', accountNumber: '00000190' };

let journey: Journey;
let secret: string;
beforeAll(async () => {
  journey = await openJourney();
  ({ secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null));
}, 120_000);
afterAll(() => journey.close());

const operate = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, `/api/operator${path}`, { secret, body });

const bankBooks = async (amountPence: number, more: object): Promise<void> => {
  const control = await openSimulatorControl(journey.outside);
  const from = { ...account, name: 'Some Body' };
  await control.deposit({ account, from, reference: 'x', amountPence, ...more });
};

const creditOf = (endToEndId: string, status: string) =>
  waitUntil(async () => {
    const { data } = (await operate('GET', '/credits?size=100')).body;
    const found = data.find((each: { endToEndId: string }) => each.endToEndId === endToEndId);
    if (found?.status === status) return found;
    throw new Error(JSON.stringify(found));
  }, patience);

/** Paid, and its money is on the collecting account. */
const paid = async (amount: number, login = 'approve') => {
  const id = await journey.create({ enableTips: false, amount, expiresIn: 60 * day });
  await journey.payer.pay(id, login);
  await journey.becomes(id, 'COMPLETED ACSC');
  const { body } = await journey.sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
  const endToEndId: string = body.transactionDetails[0].paymentIdempotencyId;
  await creditOf(endToEndId, 'MATCHED');
  return { id, endToEndId };
};

const payoutWith = (status: string, amount: string) =>
  waitUntil(async () => {
    const { data } = (await journey.sandbox.request('GET', '/api/payouts?limit=100')).body;
    const found = data.find(
      (each: { status: string; amount: string }) =>
        each.status === status && each.amount === amount,
    );
    if (found) return found;
    throw new Error(JSON.stringify(data));
  }, patience);

const cases = async (kind: string, status = 'OPEN') => {
  const { data } = (await operate('GET', `/cases?status=${status}&size=100`)).body;
  return data.filter((each: { kind: string }) => each.kind === kind);
};
const unexplained = (amountPence: number) =>
  waitUntil(async () => {
    await hurryTries();
    const found = (await cases('DEBIT_UNEXPLAINED')).find(
      ({ evidence }: { evidence: { pence: string } }) => evidence.pence === String(amountPence),
    );
    if (found) return found;
    throw new Error('no case of this debit');
  }, patience);

const bankAgrees = () =>
  waitUntil(async () => {
    const differences = await compareCollectingAccount(journey.outside);
    if (differences.length > 0) throw new Error(differences.join('\n'));
    return true;
  }, patience);
const balanceAgrees = () =>
  waitUntil(async () => {
    await reconcileBalances(journey.sandbox.tools, 0);
    const { body } = await operate('POST', '/books/verify');
    expect(body.bankBalances).toMatchObject([{ differencePence: '0' }]);
    expect(await cases('BANK_BALANCE_DIFFERS')).toEqual([]);
    return true;
  }, patience);

/** What nothing explains is given up after its last try, instead of after hours. */
const hurryTries = () =>
  journey.sandbox.tools.database.system(
    {
      name: 'test_last_tries',
      text: `update account_debit set tries = 20, due_at = now()
        where tries > 0 and tries < 20 and due_at is not null returning entry_key`,
      valueNames: [],
    },
    {},
  );

const run = <Row extends object>(name: string, text: string, id = '') =>
  journey.sandbox.tools.database.system<{ id: string }, Row>(
    { name: `test_${name}`, text, valueNames: ['id'] },
    { id },
  );

const heldNow = () =>
  run<{ endToEndId: string }>(
    'held_now',
    `select a.payment_idempotency_id as "endToEndId" from held_payment h join attempt a
      using (merchant_id, environment, attempt_id) where $1::text = ''`,
  );
const isHeld = (endToEndId: string) =>
  waitUntil(async () => {
    const held = await heldNow();
    expect(held).toEqual([{ endToEndId }]);
    return held;
  }, patience);

/** Their periods are over, and the clock stays where it is. */
const endPeriods = () =>
  run(
    'end_periods',
    `update payout set due_at = now(), period_ends_business_at = now()
       + clock_offset(merchant_id, environment) where status = 'PENDING' and $1::text = ''`,
  );

/** The worker has looked at the debit twice more, and so at what is due beside it. */
const isLookedAtAgain = async (endToEndId: string): Promise<void> => {
  const tries = async () => {
    const [row] = await run<{ tries: number }>(
      'debit_tries',
      'select tries from account_debit where end_to_end_id = $1::text',
      endToEndId,
    );
    return row?.tries ?? 0;
  };
  const before = await tries();
  await waitUntil(async () => {
    expect(await tries()).toBeGreaterThan(before + 1);
    return true;
  }, patience);
};

/** What its bank is still asked about. */
const pollsOf = (id: string) =>
  journey.sandbox.tools.database.system<{ id: string }, object>(
    {
      name: 'test_polls_of',
      text: 'select attempt_id from attempt_poll where payment_request_id = $1::uuid',
      valueNames: ['id'],
    },
    { id },
  );

describe('a debit of money that was matched', { timeout }, () => {
  test('reverses its payment: the merchant is not paid what the account does not hold', async () => {
    const { id, endToEndId } = await paid(77.01, 'rejected-days-later');
    await payoutWith('PENDING', '77.01');
    await bankBooks(7701, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');
    await journey.advance(hour);
    await journey.becomes(id, 'FAILED RJCT');
    expect((await journey.eventsOf(id)).slice(-2)).toEqual(['COMPLETED', 'FAILED']);
    await creditOf(endToEndId, 'REVERSED');
    await payoutWith('PENDING', '0.00');
    expect(await pollsOf(id)).toEqual([]);
    await bankAgrees();
    await balanceAgrees();
    expect(await cases('DEBIT_UNEXPLAINED')).toEqual([]);
    // What its bank says at last changes nothing of the money.
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
    expect((await journey.eventsOf(id)).slice(-2)).toEqual(['COMPLETED', 'FAILED']);
    await bankAgrees();
  });

  test('waits for a second credit, and pays nothing out meanwhile', async () => {
    const { id, endToEndId } = await paid(40);
    const before = await payoutWith('PENDING', '40.00');
    await bankBooks(4000, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await endPeriods();
    await isLookedAtAgain(endToEndId);
    expect(await payoutWith('PENDING', '40.00')).toMatchObject({ id: before.id });
    await bankBooks(4000, { endToEndId });
    await creditOf(endToEndId, 'REVERSED');
    await payoutWith('SETTLED', '40.00');
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');
    expect((await journey.eventsOf(id)).at(-1)).toBe('COMPLETED');
    expect(await heldNow()).toEqual([]);
    await bankAgrees();
    await balanceAgrees();
    expect(await cases('CREDIT_UNMATCHED')).toEqual([]);
  });

  test('listed twice holds no payout once it has reversed its payment', async () => {
    const { id, endToEndId } = await paid(51, 'rejected-days-later');
    await bankBooks(5100, { endToEndId, isReversal: true });
    await bankBooks(5100, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await journey.advance(hour);
    await journey.becomes(id, 'FAILED RJCT');
    await unexplained(5100);
    expect(await heldNow()).toEqual([]);
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
  });

  test('holds the open payout of the account that its store had before', async () => {
    const { endToEndId } = await paid(52);
    const before = await payoutWith('PENDING', '52.00');
    await bankBooks(5200, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await run(
      'change_accounts',
      `update store_bank_account set account_number = '00000999' where $1::text = ''`,
    );
    await endPeriods();
    await isLookedAtAgain(endToEndId);
    expect(await payoutWith('PENDING', '52.00')).toMatchObject({ id: before.id });
    await bankBooks(5200, { endToEndId });
    await payoutWith('SETTLED', '52.00');
    await bankAgrees();
  });

  test('a credit after it has waited is a case, and settles nothing', async () => {
    const { id, endToEndId } = await paid(43, 'rejected-days-later');
    await bankBooks(4300, { endToEndId, isReversal: true });
    await isHeld(endToEndId);
    await journey.advance(hour);
    await journey.becomes(id, 'FAILED RJCT');
    await creditOf(endToEndId, 'REVERSED');
    await bankBooks(4300, { endToEndId });
    await waitUntil(async () => {
      const [found] = await cases('CREDIT_UNMATCHED');
      expect(found?.evidence).toMatchObject({ endToEndId, reason: 'PAYMENT_FAILED' });
      return true;
    }, patience);
    expect(await journey.standing(id)).toBe('FAILED RJCT');
    await balanceAgrees();
    const [attempt] = await journey.attemptsOf(id);
    await journey.control.advance([attempt?.rail_reference ?? ''], 10 * day);
    expect((await journey.eventsOf(id)).slice(-2)).toEqual(['COMPLETED', 'FAILED']);
  });

  test('of another amount is a case with both sides, and the payment stands', async () => {
    const { id, endToEndId } = await paid(30);
    await bankBooks(2900, { endToEndId, isReversal: true });
    expect((await unexplained(2900)).evidence).toMatchObject({
      ...{ pence: '2900', endToEndId, creditPence: '3000', creditStatus: 'MATCHED' },
    });
    expect(await journey.standing(id)).toBe('COMPLETED ACSC');
    await bankAgrees();
    await balanceAgrees();
  });
});

test('a debit without a reference is a case, named once', { timeout }, async () => {
  await bankBooks(4321, { isReversal: true });
  const { caseId } = await unexplained(4321);
  await balanceAgrees();
  const resolution = 'The bank charged for the month.';
  expect((await operate('POST', `/cases/${caseId}/resolve`, { resolution })).status).toBe(200);
  await balanceAgrees();
  expect(await cases('DEBIT_UNEXPLAINED', 'RESOLVED')).toMatchObject([{ resolution }]);
});

test('the books agree', { timeout }, () => journey.allAgree({}));
