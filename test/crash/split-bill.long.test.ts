import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareBankBooks } from '../harness/invariants/compare-bank-books.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { openSimulatorControl } from '../harness/invariants/open-simulator-control.ts';
import { openPayer } from '../harness/open-payer.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openRig, type Rig } from './open-rig.ts';
import { callApi, letTimePass } from './pay-persistently.ts';

const patience = { withinMs: 150_000, everyMs: 200 };
// As a payer looks again after reading that others are paying the rest.
const waiting = { withinMs: 280_000, everyMs: 2_000 };
const payers = 20;
const kills = 3;
const halfAnHourMs = 31 * 60_000;
/** Each payer takes four steps to the bank and back. */
const stepsBetweenKills = 12;

let rig: Rig;
let database: pg.Client;
beforeAll(async () => {
  rig = await openRig();
  database = new pg.Client(rig.databaseUrl);
  await database.connect();
}, 180_000);
afterAll(async () => {
  await database.end();
  await rig.close();
});

const status = async (id: string) =>
  (await callApi(rig, `/api/payments/v1/payment-status/${id}`)) as {
    readonly status: string;
    readonly paidAmount: number;
    readonly transactionDetails: readonly {
      readonly paymentIdempotencyId: string;
      readonly paidAmount: number;
      readonly splitBill: boolean;
      readonly statusDetails: { readonly status: string } | null;
    }[];
  };

/**
 * The bank's address for this share; null when there is none to take. Failed calls are repeated.
 */
const startShare = async (id: string, share: number | null): Promise<string | null> => {
  const reply = await fetch(`${rig.url}/api/payments/v1/secure-payment-auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      institutionId: 'mock-sandbox-v1',
      paymentRequestSource: { paymentRequestId: id },
      ...(share === null ? {} : { amount: { amount: share } }),
    }),
  });
  if (reply.status >= 500) throw new Error(`${reply.status}`);
  const body = (await reply.json()) as { readonly authorisationUrl?: string };
  return body.authorisationUrl ?? null;
};

/**
 * Takes a share, or the rest if that is less, and returns from the bank until the answer is
 * accepted. A payer who finds nothing to take looks again until the bill is paid: a share may be
 * released. Answers whether this payer paid.
 */
const payShare = async (
  id: string,
  share: number,
  progress: Progress,
  who: number,
): Promise<boolean> => {
  const payer = openPayer(rig.url);
  const isPaid = async () => (await status(id)).status === 'COMPLETED';
  const again = async <Value>(run: () => Promise<Value>): Promise<Value> => {
    const { value } = await waitUntil(async () => ({ value: await run() }), patience);
    progress.steps += 1;
    return value;
  };
  for (;;) {
    const address = await waitUntil(async () => {
      if (await isPaid()) return 'PAID';
      const found = (await startShare(id, share)) ?? (await startShare(id, null));
      if (found === null) progress.emptyHanded.add(who);
      return found;
    }, waiting);
    progress.emptyHanded.delete(who);
    if (address === 'PAID') return false;
    const back = await again(() => payer.approve(address));
    if (!back) throw new Error('the bank kept a payer');
    await again(async () => {
      const { status: answered } = await payer.comeBack(back);
      if (answered >= 500) throw new Error(`${answered}`);
    });
    await again(() => hasEnded(back));
    if (!(await again(() => wasPaid(back)))) continue;
    progress.unpaid -= 1;
    return true;
  }
};

type Progress = {
  steps: number;
  /** Payers who have not paid yet. */
  unpaid: number;
  /** Payers who found nothing to take at their last look. */
  readonly emptyHanded: Set<number>;
};
type Back = Readonly<Record<string, string>>;

const attemptOf = async ({ response = '', state = '' }: Back): Promise<{ status: string }> => {
  const claims = JSON.parse(Buffer.from(response.split('.')[1] ?? 'e30', 'base64url').toString());
  const text = 'select status from florin.attempt where oauth_state = $1';
  const { rows } = await database.query(text, [state || claims.state]);
  if (!rows[0]) throw new Error('a return of no attempt');
  return rows[0];
};
const hasEnded = async (back: Back): Promise<void> => {
  const { status: stands } = await attemptOf(back);
  if (stands === 'AWAITING_AUTHORIZATION' || stands === 'PENDING') throw new Error(stands);
};
const wasPaid = async (back: Back): Promise<boolean> =>
  (await attemptOf(back)).status === 'COMPLETED';

/** Kills again and again; what died with the program falls due at once. */
const killAgainAndAgain = async (isOver: () => boolean, progress: Progress): Promise<number> => {
  let killed = 0;
  while (killed < kills && !isOver()) {
    const steps = progress.steps + stepsBetweenKills;
    await waitUntil(() => isOver() || progress.steps >= steps, patience);
    if (isOver()) break;
    await rig.kill('api');
    killed += 1;
    await rig.start('api');
    await waitUntil(() => letTimePass(rig).then(() => true), patience);
  }
  // A payer whose start was lost starts again; the share of the first start is released in time.
  while (!isOver()) {
    const isStuck = () => progress.unpaid > 0 && progress.emptyHanded.size === progress.unpaid;
    await waitUntil(() => isOver() || isStuck(), waiting);
    if (isOver()) break;
    progress.emptyHanded.clear();
    await waitUntil(() => letTimePass(rig, halfAnHourMs).then(() => true), patience);
  }
  return killed;
};

type Bill = readonly [what: string, amount: number, share: number];
const bills: readonly Bill[] = [
  ['more wanted than there is, and an odd rest', 93.37, 5.11],
  ['equal shares that come out even', 100, 5],
];

describe('payers race on one bill while the API is killed', { timeout: 300_000 }, () => {
  test.each(bills)('%s: the sum is exact', async (_, amount, share) => {
    const body = {
      customerId: 'c',
      orderId: 'o',
      amount,
      splitBill: true,
      expiresIn: 86_400_000,
    };
    const { paymentRequestId } = await callApi(rig, '/api/payments/process-payment', body);
    const id = String(paymentRequestId);
    let isOver = false;
    const progress: Progress = { steps: 0, unpaid: payers, emptyHanded: new Set() };
    const people = Array.from({ length: payers }, (_, who) => payShare(id, share, progress, who));
    const racing = Promise.all(people).finally(() => {
      isOver = true;
    });
    const [killed, paid] = await Promise.all([killAgainAndAgain(() => isOver, progress), racing]);
    expect(killed).toBeGreaterThan(0);

    const bill = await waitUntil(async () => {
      const read = await status(id);
      return read.status === 'COMPLETED' && read;
    }, patience);
    expect(bill.paidAmount).toBe(amount);
    const shares = bill.transactionDetails.filter(
      ({ statusDetails }) => statusDetails?.status === 'COMPLETED',
    );
    const pence = shares.reduce((sum, { paidAmount }) => sum + Math.round(paidAmount * 100), 0);
    expect(pence).toBe(Math.round(amount * 100));
    // One item for each payer who paid, and none for any other.
    expect(shares.length).toBe(paid.filter(Boolean).length);
    for (const { splitBill } of shares) expect(splitBill).toBe(true);

    await waitUntil(async () => {
      const wrong = [
        ...(await compareBankBooks(rig)),
        ...(await findBrokenInvariants(rig.databaseUrl, { isQuiet: true })),
      ];
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    }, patience);
    // And the banks hold exactly the same: one payment for each paid share.
    const lines = (await (await openSimulatorControl(rig)).payments()).filter(
      ({ debited, returned }) => debited && !returned,
    );
    const mine = new Map(lines.map((line) => [line.endToEndIdentification, line.amountPence]));
    for (const { paymentIdempotencyId, paidAmount } of shares)
      expect(mine.get(paymentIdempotencyId)).toBe(Math.round(paidAmount * 100));
  });
});
