import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareBankBooks } from '../harness/invariants/compare-bank-books.ts';
import { compareCardBooks } from '../harness/invariants/compare-card-books.ts';
import { compareTransferBooks } from '../harness/invariants/compare-transfer-books.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../harness/is-long-run.ts';
import { openPayer } from '../harness/open-payer.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openRig, type Rig } from './open-rig.ts';
import { again, callApi, letTimePass } from './pay-persistently.ts';

const patience = { withinMs: 90_000 };

let rig: Rig;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  [rig, receiver] = await Promise.all([openRig(), openReceiver()]);
  await callApi(rig, '/api/webhook/merchant', { url: receiver.url, event: 'REFUND_STATUS' });
  await sql('update merchant_switch set fee_fixed_pence = 5, fee_basis_points = 100');
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

const create = async (): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 5, expiresIn: 36e5, enableTips: false };
  return String((await callApi(rig, '/api/payments/process-payment', body)).paymentRequestId);
};

const reaches = (id: string, isoCodes: readonly string[]): Promise<boolean> =>
  waitUntil(async () => {
    const [detail] = (await callApi(rig, `/api/payments/v1/payment-status/${id}`))
      .transactionDetails as { statusDetails: { isoStatus: { code: string } } }[];
    return isoCodes.includes(detail?.statusDetails.isoStatus.code ?? '');
  }, patience);

const pay = async (by: object = {}): Promise<string> => {
  const id = await create();
  await callApi(rig, `/api/sandbox/payment-requests/${id}/pay`, by);
  await reaches(id, ['ACSC', 'ACCC']);
  return id;
};

const sql = async (text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  await client.query('set search_path = florin');
  const { rows } = await client.query(text);
  await client.end();
  return rows;
};

/** What is created for once comes to its end, though the worker is killed meanwhile. */
const refund = async (by: object, meanwhile?: Meanwhile): Promise<string> => {
  const paymentRequestId = await pay(by);
  await meanwhile?.before();
  const created = await callApi(rig, '/api/refund', { paymentRequestId, amount: 2 });
  await meanwhile?.after(String(created.refundId));
  const refundId = String(created.refundId);
  await waitUntil(async () => {
    const path = `/api/refund/${paymentRequestId}`;
    const list = await callApi<readonly { refundId: string; status: string }[]>(rig, path);
    const found = list.find((each) => each.refundId === refundId);
    if (found?.status === 'COMPLETED') return true;
    throw new Error(JSON.stringify(found));
  }, patience);
  await waitUntil(() => receiver.received.some(({ json }) => json.refundId === refundId), patience);
  return refundId;
};

type Meanwhile = {
  readonly before: () => Promise<void>;
  readonly after: (refundId: string) => Promise<void>;
};

/** The batch of a refund, once the worker has done this with it. */
const batchOf = (refundId: string, condition: string) =>
  waitUntil(async () => {
    const [found] = await sql(
      `select b.message_id from transfer t join transfer_batch b using (message_id)
       where t.subject_id = '${refundId}' and ${condition}`,
    );
    return found;
  }, patience);

/** The period of the open payout ends, which only the worker notices. */
const closePayout = async (): Promise<string> => {
  await pay();
  const payoutId = await waitUntil(async () => {
    const [open] = await sql(
      `update payout set due_at = now(), period_ends_business_at = now() - interval '1 day'
       where status = 'PENDING' and amount_pence > 0
       returning payout_id`,
    );
    return open && String(open.payout_id);
  }, patience);
  await waitUntil(async () => {
    const { data } = await callApi(rig, '/api/payouts?limit=100');
    const found = (data as { id: string; status: string }[]).find(({ id }) => id === payoutId);
    if (found?.status === 'SETTLED') return true;
    throw new Error(JSON.stringify(found));
  }, patience);
  return payoutId;
};

/** Paid at a bank that never says ACSC: its credit settles it, and its fee is charged, each once. */
const matchCredit = async (): Promise<string> => {
  const id = await create();
  await openPayer(rig.url).pay(id, 'never-settles');
  await reaches(id, ['ACSP']);
  await waitUntil(async () => {
    const lines = await sql(
      `select reason, amount_pence::int as pence from payout_line
       where resource_id = '${id}' order by reason`,
    );
    expect(lines).toEqual([
      { reason: 'FEE_CHARGED', pence: -10 },
      { reason: 'PAYMENT_SETTLED', pence: 500 },
    ]);
    const credits = await sql(
      `select status from account_credit where payment_request_id = '${id}'`,
    );
    expect(credits).toEqual([{ status: 'MATCHED' }]);
    return true;
  }, patience);
  return id;
};

const ways: Readonly<Record<string, () => Promise<string>>> = {
  'a refund': () => refund({}),
  'a card refund': () => refund({ method: 'CARD', cardNumber: '4242424242424242' }),
  'a payout': closePayout,
  'a credit': matchCredit,
};

type Moment = readonly [way: string, moment: string];

/** The costliest: the bank has the order, and we do not know it. */
const moments: readonly Moment[] = [['a refund', 'after submitTransfers 1']];

// The others are visited by `npm run test:long`.
const moreMoments: readonly Moment[] = [
  ['a card refund', 'after refundCard 1'],
  ['a payout', 'after submitTransfers 1'],
  ['a refund', 'after refund_hand_over 1'],
  ['a refund', 'before refund_hand_over 1'],
  ['a refund', 'before submitTransfers 1'],
  ['a refund', 'before transfer_end_batch 1'],
  ['a refund', 'after transfer_end_batch 1'],
  ['a refund', 'before refund_commit 1'],
  ['a refund', 'after refund_commit 1'],
  ['a refund', 'before acknowledge 1'],
  ['a refund', 'after acknowledge 1'],
  ['a card refund', 'after refund_hand_over 1'],
  ['a card refund', 'before refundCard 1'],
  ['a card refund', 'before refund_commit 1'],
  ['a card refund', 'after refund_commit 1'],
  ['a payout', 'before payout_commit 1'],
  ['a payout', 'after payout_commit 1'],
  ['a payout', 'before submitTransfers 1'],
  ['a payout', 'after transfer_end_batch 1'],
  ['a payout', 'before payout_commit 2'],
  ['a payout', 'after payout_commit 2'],
  ['a payout', 'after acknowledge 1'],
  ...['credit_insert', 'credit_link', 'credit_match', 'payout_attach_lines'].flatMap(
    (name): readonly Moment[] => [
      ['a credit', `before ${name} 1`],
      ['a credit', `after ${name} 1`],
    ],
  ),
  ['a credit', 'after credit_claim 1'],
  ['a credit', 'before acknowledge 1'],
  ['a credit', 'before payment_commit_change 1'],
  ['a credit', 'after payment_commit_change 1'],
  ['a payout', 'before payout_attach_lines 1'],
  ['a payout', 'after payout_attach_lines 1'],
  ['a payout', 'before outgoing_turn_read 1'],
  ['a payout', 'after payout_find_due 1'],
];
const visited = isLongRun ? [...moments, ...moreMoments] : moments;

const findDifferences = async (): Promise<readonly string[]> => [
  ...(await compareTransferBooks(rig)),
  ...(await compareBankBooks(rig)),
  ...(await compareCardBooks(rig)),
  ...(await findBrokenInvariants(rig.databaseUrl)),
];

describe('the worker is killed, started again, and the money goes out once', {
  timeout: 180_000,
}, () => {
  test.each(visited)('%s, killed %s', async (way, moment) => {
    await rig.kill('worker');
    await rig.start('worker', { KILL_AT: moment });
    let isKilled = false;
    const restarted = rig.ended('worker').then(async () => {
      isKilled = true;
      await rig.start('worker');
      await again(() => letTimePass(rig).then(() => true));
    });
    const [outcome] = await Promise.allSettled([ways[way]?.()]);
    // The end may be seen a moment before the death of who wrote it.
    const wasKilledThere = await waitUntil(() => isKilled, { withinMs: 5_000 }).catch(() => false);
    if (!isKilled) await rig.kill('worker');
    await restarted;
    if (outcome.status === 'rejected') throw outcome.reason;
    expect(wasKilledThere).toBe(true);
    await waitUntil(async () => {
      const wrong = await findDifferences();
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    }, patience);
  });

  test('every refund was sent to the receiver, as the same event', async () => {
    const sent = await sql(
      `select count(*)::int as events, count(distinct resource_id)::int as refunds from event
       where event_type = 'REFUND_STATUS'`,
    );
    expect(sent[0]?.events).toBe(sent[0]?.refunds);
  });
});

const dayIn = (days: number): string =>
  new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);

const killTheHub = () => {
  const killings: readonly (readonly [moment: string, meanwhile: Meanwhile])[] = [
    [
      'before it has the transfer',
      {
        before: () => rig.kill('simulator'),
        after: async (refundId) => {
          await batchOf(refundId, 'b.submissions > 0');
          await again(() => rig.start('simulator').then(() => true));
        },
      },
    ],
    [
      'after it has the transfer',
      {
        before: async () => undefined,
        after: async (refundId) => {
          await batchOf(refundId, `b.status = 'SUBMITTED'`);
          await rig.kill('simulator');
          await again(() => rig.start('simulator').then(() => true));
        },
      },
    ],
  ];
  test.each(killings)('%s', async (_, meanwhile) => {
    await refund({}, meanwhile);
    await waitUntil(async () => {
      const wrong = await findDifferences();
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    }, patience);
  });
};

const killInExports = () => {
  test.each(['after export_payout_lines 1', 'before export_payout_lines 1'])(
    '%s: it has no end, and the next is whole',
    async (moment) => {
      const path = `/api/payouts/export?fromDate=${dayIn(-2)}&toDate=${dayIn(2)}&format=json`;
      const [{ lines = 0 } = {}] = await sql('select count(*)::int as lines from payout_line');
      await rig.kill('api');
      await rig.start('api', { KILL_AT: moment });
      const ended = rig.ended('api');
      await expect(callApi(rig, path)).rejects.toThrow();
      await ended;
      await rig.start('api');
      const { data } = await again(() => callApi<{ data: readonly object[] }>(rig, path));
      expect(data).toHaveLength(Number(lines));
    },
  );
};

if (isLongRun) {
  const name = 'the hub is killed, started again, and the money goes out once';
  describe(name, { timeout: 180_000 }, killTheHub);
  describe('the API is killed in an export', { timeout: 180_000 }, killInExports);
}
