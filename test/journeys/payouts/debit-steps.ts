import { expect } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { reconcileBalances } from '../../../service/src/modules/transfers/index.ts';
import { compareCollectingAccount } from '../../harness/invariants/compare-collecting-account.ts';
import { openSimulatorControl } from '../../harness/invariants/open-simulator-control.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

export const patience = { withinMs: 30_000 };
export const timeout = 120_000;
export const hour = 60 * 60_000;
export const day = 24 * hour;
const account = { sortCode: '180002', accountNumber: '00000190' };

let journey: Journey;
let secret: string;

/** The steps below are of this journey. */
export const openDebitJourney = async (): Promise<Journey> => {
  journey = await openJourney();
  ({ secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null));
  return journey;
};

export const operate = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, `/api/operator${path}`, { secret, body });

export const bankBooks = async (amountPence: number, more: object): Promise<void> => {
  const control = await openSimulatorControl(journey.outside);
  const from = { ...account, name: 'Some Body' };
  await control.deposit({ account, from, reference: 'x', amountPence, ...more });
};

export const creditOf = (endToEndId: string, status: string) =>
  waitUntil(async () => {
    const { data } = (await operate('GET', '/credits?size=100')).body;
    const found = data.find((each: { endToEndId: string }) => each.endToEndId === endToEndId);
    if (found?.status === status) return found;
    throw new Error(JSON.stringify(found));
  }, patience);

export const endToEndIdOf = async (id: string): Promise<string> => {
  const { body } = await journey.sandbox.request('GET', `/api/payments/v1/payment-status/${id}`);
  return body.transactionDetails[0].paymentIdempotencyId;
};

/** Paid, and its money is on the collecting account. */
export const paid = async (amount: number, login = 'approve', more: object = {}) => {
  const id = await journey.create({ enableTips: false, amount, expiresIn: 60 * day, ...more });
  await journey.payer.pay(id, login);
  await journey.becomes(id, 'COMPLETED ACSC');
  const endToEndId = await endToEndIdOf(id);
  await isMatched(id);
  return { id, endToEndId };
};

export const isMatched = (id: string) =>
  waitUntil(async () => {
    const { data } = (await operate('GET', '/credits?status=MATCHED&size=100')).body;
    const found = data.find((each: { paymentRequestId: string }) => each.paymentRequestId === id);
    if (found) return found;
    throw new Error('its credit is not matched');
  }, patience);

export const payoutWith = (status: string, amount: string) =>
  waitUntil(async () => {
    const { data } = (await journey.sandbox.request('GET', '/api/payouts?limit=100')).body;
    const found = data.find(
      (each: { status: string; amount: string }) =>
        each.status === status && each.amount === amount,
    );
    if (found) return found;
    throw new Error(JSON.stringify(data));
  }, patience);

type Case = {
  readonly caseId: string;
  readonly evidence: Readonly<Record<string, string | null>>;
  readonly resolution: string | null;
};

export const cases = async (kind: string, status = 'OPEN') => {
  const { data } = (await operate('GET', `/cases?status=${status}&size=100`)).body;
  return data.filter((each: { kind: string }) => each.kind === kind) as Case[];
};
export const unexplained = (amountPence: number) =>
  waitUntil(async () => {
    await hurryTries();
    const found = (await cases('DEBIT_UNEXPLAINED')).find(
      ({ evidence }) => evidence.pence === String(amountPence),
    );
    if (found) return found;
    throw new Error('no case of this debit');
  }, patience);

export const bankAgrees = () =>
  waitUntil(async () => {
    const differences = await compareCollectingAccount(journey.outside);
    if (differences.length > 0) throw new Error(differences.join('\n'));
    return true;
  }, patience);
export const balanceAgrees = () =>
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

export const run = <Row extends object>(name: string, text: string, id = '') =>
  journey.sandbox.tools.database.system<{ id: string }, Row>(
    { name: `test_${name}`, text, valueNames: ['id'] },
    { id },
  );

export const heldNow = () =>
  run<{ endToEndId: string }>(
    'held_now',
    `select a.payment_idempotency_id as "endToEndId" from held_payment h join attempt a
      using (merchant_id, environment, attempt_id) where $1::text = ''`,
  );
export const isHeld = (endToEndId: string) =>
  waitUntil(async () => {
    const held = await heldNow();
    expect(held).toEqual([{ endToEndId }]);
    return held;
  }, patience);

/** Their periods are over, and the clock stays where it is. */
export const endPeriods = () =>
  run(
    'end_periods',
    `update payout set due_at = now(), period_ends_business_at = now()
       + clock_offset(merchant_id, environment) where status = 'PENDING' and $1::text = ''`,
  );

/** The worker has looked at the debit twice more, and so at what is due beside it. */
export const isLookedAtAgain = async (endToEndId: string): Promise<void> => {
  const tries = async () => {
    const [row] = await run<{ tries: number }>(
      'debit_tries',
      'select sum(tries)::int as tries from account_debit where end_to_end_id = $1::text',
      endToEndId,
    );
    return row?.tries ?? 0;
  };
  const before = await tries();
  await waitUntil(async () => {
    await run(
      'debit_due',
      'update account_debit set due_at = now() where end_to_end_id = $1::text and due_at > now()',
      endToEndId,
    );
    expect(await tries()).toBeGreaterThan(before + 1);
    return true;
  }, patience);
};

/** What its bank is still asked about. */
export const pollsOf = (id: string) =>
  journey.sandbox.tools.database.system<{ id: string }, object>(
    {
      name: 'test_polls_of',
      text: 'select attempt_id from attempt_poll where payment_request_id = $1::uuid',
      valueNames: ['id'],
    },
    { id },
  );
