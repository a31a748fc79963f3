import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
const timeout = 180_000;
const day = 24 * 60 * 60_000;

let journey: Journey;
let secret: string;
beforeAll(async () => {
  journey = await openJourney();
  ({ secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null));
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });
const pause = (transferHubPaused: boolean) =>
  request('POST', '/api/sandbox/switches', { transferHubPaused });

const storeWith = async (sortCode: string, accountNumber: string): Promise<string> => {
  const { merchantId } = journey.sandbox.tenant;
  const path = `/api/operator/merchants/${merchantId}/sandbox/stores`;
  const bankAccount = { sortCode, accountNumber, name: 'Sandbox Shop' };
  const body = { locationName: accountNumber, bankAccount };
  const made = await journey.sandbox.request('POST', path, { secret, body });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.storeId;
};

const paid = async (amount: number, more: object = {}): Promise<string> => {
  const id = await journey.create({ enableTips: false, amount, expiresIn: 60 * day, ...more });
  await journey.payer.pay(id, 'approve');
  await journey.becomes(id, 'COMPLETED ACSC');
  return id;
};
const refund = async (paymentRequestId: string, amount: number): Promise<string> => {
  const made = await request('POST', '/api/refund', { paymentRequestId, amount });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.refundId;
};
const refundIs = (id: string, status: string, reason: unknown = null) =>
  waitUntil(async () => {
    const [found] = (await request('GET', `/api/refund/${id}`)).body;
    expect(found).toMatchObject({ status, statusReason: reason });
    return found;
  }, patience);

type Shown = { readonly id: string; readonly status: string; readonly amount: string };
const payouts = async (): Promise<readonly Shown[]> =>
  (await request('GET', '/api/payouts?limit=100')).body.data;
const payoutWith = (status: string, amount: string): Promise<Shown> =>
  waitUntil(async () => {
    const all = await payouts();
    const found = all.find((each) => each.status === status && each.amount === amount);
    if (found) return found;
    throw new Error(JSON.stringify(all));
  }, patience);

describe('what goes out of an account has come in to it', { timeout }, () => {
  longTest('a refund that was held is not paid out to the merchant as well', async () => {
    const id = await paid(60);
    const open = await payoutWith('PENDING', '60.00');
    await pause(true);
    await refund(id, 60);
    await journey.advance(5 * day);
    await pause(false);
    await refundIs(id, 'COMPLETED');
    expect(await payoutWith('PENDING', '0.00')).toMatchObject({ id: open.id });
  });

  test('a store that was paid out does not refund from the money of another', async () => {
    const first = await storeWith('089999', '66374958');
    const second = await storeWith('107999', '88837491');
    const early = await paid(50, { storeId: first });
    await payoutWith('PENDING', '50.00');
    await journey.advance(5 * day);
    await payoutWith('SETTLED', '50.00');
    await paid(50, { storeId: second });
    await payoutWith('PENDING', '50.00');
    await refund(early, 50);
    await refundIs(early, 'PENDING', expect.stringContaining('BALANCE'));
    if (isLongRun) {
      await journey.advance(5 * day);
      await waitUntil(async () => {
        const settled = (await payouts()).filter(({ status }) => status === 'SETTLED');
        expect(settled.map(({ amount }) => amount)).toEqual(['50.00', '50.00']);
        return true;
      }, patience);
      await refundIs(early, 'PENDING', expect.stringContaining('BALANCE'));
    }
    await paid(55, { storeId: first });
    await refundIs(early, 'COMPLETED');
    await payoutWith('PENDING', '5.00');
  });
});

test('the books match', { timeout }, () => journey.allAgree({}));
