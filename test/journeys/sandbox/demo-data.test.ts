import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createOperatorSecret,
  revokeOperatorSecret,
} from '../../../service/src/modules/operators/index.ts';
import { type Filled, fillSandbox } from '../../../tools/demo-data/fill-sandbox.ts';
import { type OperatorAccess, openStores } from '../../../tools/demo-data/open-shop.ts';
import { planDay } from '../../../tools/demo-data/plan-day.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const day = 86_400_000;
const paymentsADay = 5;
let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const withSecret: OperatorAccess['withSecret'] = async (use) => {
  const { tools } = journey.sandbox;
  const { operatorSecretId, secret } = await createOperatorSecret(tools, 'Demo data', null);
  try {
    return await use(secret);
  } finally {
    await revokeOperatorSecret(tools, operatorSecretId);
  }
};

/** Two days of which the first sells enough and the second refunds: the date is that of the run. */
const findSeed = (monday: Date): string => {
  const plan = (seed: string, at: number) =>
    planDay(seed, new Date(at).toISOString().slice(0, 10), paymentsADay);
  for (let number = 1; ; number += 1) {
    const [first, second] = [0, day].map((more) => plan(`journey-${number}`, +monday + more));
    const kinds = new Set(first?.orders.map(({ kind }) => kind));
    const refunds = second?.refunds.some(({ kind }) => kind === 'PART');
    if (refunds && kinds.has('BANK_PAID') && kinds.has('CARD_PAID') && kinds.has('CARD_DECLINED'))
      return `journey-${number}`;
  }
};

const fill = (seed: string, secret = journey.sandbox.secret): Promise<Filled> =>
  fillSandbox({
    florin: { url: journey.sandbox.url, secret },
    operator: { merchantId: journey.sandbox.merchant.merchantId, withSecret },
    request: { seed, days: 2, paymentsADay },
    onDay: () => undefined,
    isStopped: () => false,
  });

/** A Sunday: the two days after it are bank days, so that what they sell is paid out. */
const walkToSunday = async (): Promise<Date> => {
  const { body } = await journey.sandbox.request('POST', '/api/sandbox/clock', {
    body: { advanceMs: 0 },
  });
  const days = 7 - new Date(body.now).getUTCDay();
  await journey.advance(days * day);
  return new Date(Date.parse(body.now) + days * day);
};

longTest('fills a sandbox with two days of payments, refunds and a payout', async () => {
  const { sandbox } = journey;
  const seed = findSeed(new Date((await walkToSunday()).getTime() + day));
  const filled = await fill(seed);
  expect([...filled.refused]).toEqual([]);
  expect(filled.days).toBe(2);
  const planned = [filled.from, filled.to].map((date) => planDay(seed, date, paymentsADay));
  const orders = planned.flatMap((each) => each.orders);
  expect([...filled.orders.values()].reduce((sum, each) => sum + each, 0)).toBe(orders.length);

  const { body: found } = await sandbox.request('POST', '/api/payments/transactions?size=100', {
    body: {},
  });
  const sold = new Set(found.data.map(({ orderId }: { orderId: string }) => orderId));
  const paid = orders.filter(({ kind }) => kind === 'BANK_PAID' || kind === 'CARD_PAID');
  for (const { orderId } of paid) expect(sold).toContain(orderId);
  expect((await sandbox.request('GET', '/api/payments/stores')).body.totalCount).toBe(4);
  expect((await sandbox.request('GET', '/api/customers')).body.totalCount).toBe(40);
  // A payout is matched once it has settled and the bank account that it credits has been read.
  await waitUntil(async () => {
    const { body } = await sandbox.request('GET', '/api/payouts/matches?match=MATCHED');
    return body.totalCount;
  });
  expect(filled.refunds).toBeGreaterThan(0);
  // The next run uses what this one made.
  const florin = { url: sandbox.url, secret: sandbox.secret };
  const { merchantId } = sandbox.merchant;
  expect(await openStores(florin, { merchantId, withSecret })).toHaveLength(4);
});

test('changes nothing with a secret of production', async () => {
  await expect(fill('any', journey.sandbox.productionSecret)).rejects.toThrow();
  const { body } = await journey.sandbox.request('GET', '/api/payments/stores', {
    secret: journey.sandbox.productionSecret,
  });
  expect(body.totalCount).toBe(1);
});
