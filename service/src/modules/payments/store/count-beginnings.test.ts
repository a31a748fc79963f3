import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { startAttempt } from '../core/start-attempt.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';
import { countBeginnings, foldBeginnings, registerBeginnings } from './count-beginnings.ts';

let payments: Payments;
beforeAll(async () => {
  payments = await openPayments();
});
afterAll(() => payments.close());

const limits = { leastItems: 10, sampledOfDay: 1_000, settleMs: 1_000, slice: 5 };

/** A payer starts, and starts anew: one attempt is open, one has been replaced. */
const startTwice = async (orderId: string): Promise<void> => {
  const id = await payments.created({ orderId, consumerDetails: { firstName: 'Ada' } });
  for (let time = 0; time < 2; time += 1)
    await startAttempt(payments.tools, payments.sandbox, id, () => ({
      institutionId: payments.bankId,
      amountPence: 1_250n as never,
      tipPence: 0n as never,
      creditor: { sortCode: '180002', accountNumber: '00000190', name: 'Sandbox Shop' },
      settlesTo: 'STORE_ACCOUNT',
      applicationUserId: null,
      paymentDevice: null,
    }));
};

const rows = <Row>(name: string, text: string): Promise<Row[]> =>
  payments.database.system<object, Row>({ name, text, valueNames: [] }, {});

type Count = { beginning: string; status: string; items: bigint };
const counted = () =>
  rows<Count>(
    'test_counted',
    `select beginning, status, sum(items)::bigint as items from transaction_beginning_count
     group by 1, 2 having sum(items) <> 0 order by 1, 2`,
  );
const there = () =>
  rows<Count>(
    'test_there',
    `select b.beginning, i.status, count(*) as items from transaction_item i
     join transaction_beginning b using (merchant_id, environment)
     where exists (select from unnest(i.words) w where starts_with(w, b.beginning))
     group by 1, 2 order by 1, 2`,
  );
const open = () =>
  rows('test_open', 'select beginning from transaction_beginning where not is_counted');

test('beginnings that become common are counted while payments go on, and not one is missed', async () => {
  const start = (from: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => startTwice(`ord-${from + at}`)));
  await start(100, 20);
  let isOver = false;
  const going = (async () => {
    for (let round = 0; round < 20; round += 1) await start(200 + round * 20, 20);
  })().finally(() => {
    isOver = true;
  });
  expect(await registerBeginnings(payments.database, limits)).toBeGreaterThan(8);
  while (!isOver) {
    await Promise.all([
      countBeginnings(payments.database, limits),
      countBeginnings(payments.database, limits),
    ]);
    await foldBeginnings(payments.database, 20);
    await registerBeginnings(payments.database, limits);
  }
  await going;
  await waitUntil(async () => {
    await countBeginnings(payments.database, limits);
    return (await open()).length === 0;
  });
  const found = await counted();
  expect(found).toEqual(await there());
  expect(found).toContainEqual({ beginning: 'ord', status: 'CANCELLED', items: 420n });
  expect(found).toContainEqual({ beginning: 'ada', status: 'AWAITING_AUTHORIZATION', items: 420n });
  while ((await foldBeginnings(payments.database, 20)) > 0);
  expect(await counted()).toEqual(found);
});
