import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareCollectingAccount } from '../../harness/invariants/compare-collecting-account.ts';
import { openSimulatorControl } from '../../harness/invariants/open-simulator-control.ts';
import { longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const timeout = 90_000;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });

const rows = <Row>(name: string, text: string, id: string) =>
  journey.sandbox.tools.database.system<{ id: string }, Row>(
    { name, text, valueNames: ['id'] },
    { id },
  );

/** A refund, and the id of its transfer. */
const refundOf = async (orderId: string, status: string, amount = 2.5) => {
  const id = await journey.create({ enableTips: false, orderId });
  expect((await request('POST', `/api/sandbox/payment-requests/${id}/pay`, {})).status).toBe(200);
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  const { body } = await request('POST', '/api/refund', { paymentRequestId: id, amount });
  const refundId: string = body.refundId;
  const standing = async () => {
    const [refund] = (await request('GET', `/api/refund/${id}`)).body;
    return refund.status;
  };
  const endToEndId = await waitUntil(async () => {
    const [transfer] = await rows<{ end_to_end_id: string }>(
      'test_transfer_of',
      'select end_to_end_id from transfer where subject_id = $1::uuid',
      refundId,
    );
    if (transfer && (await standing()) === status) return transfer.end_to_end_id;
    throw new Error(`${refundId} is ${await standing()}, not ${status}`);
  }, patience);
  return { paymentRequestId: id, refundId, endToEndId, standing };
};

/** What the bank books under the id of a transfer, whatever we ordered. */
const bankBooks = async (endToEndId: string, amountPence: number, more: object): Promise<void> => {
  const control = await openSimulatorControl(journey.outside);
  await control.deposit({
    account: { sortCode: '180002', accountNumber: '00000190' },
    from: { sortCode: '180002', accountNumber: '00000190', name: 'Some Body' },
    ...{ amountPence, reference: 'x', endToEndId, ...more },
  });
};

const caseOf = (endToEndId: string, status: string) =>
  waitUntil(async () => {
    const [found] = await rows<{ evidence: object; status: string }>(
      'test_contradiction',
      `select evidence, status from operator_case
       where kind = 'TRANSFER_CONTRADICTION' and subject = $1 order by opened_at desc limit 1`,
      endToEndId,
    );
    if (found?.status === status) return found.evidence;
    throw new Error(`${endToEndId} has ${JSON.stringify(found)}`);
  }, patience);

/** What the books say of one refund, by account. */
const booksOf = async (refundId: string) => {
  const sums = await rows<{ account: string; pence: string }>(
    'test_books_of',
    `select account, sum(amount_pence)::text as pence from ledger_entry
     where resource_id = $1::uuid group by account having sum(amount_pence) <> 0`,
    refundId,
  );
  return Object.fromEntries(sums.map(({ account, pence }) => [account, Number(pence)]));
};

/** The least that was taken from the merchant for a refund at any moment since its hand-over. */
const leastTakenPence = async (refundId: string): Promise<number> => {
  const [found] = await rows<{ pence: string }>(
    'test_least_taken',
    `select min(taken)::text as pence from (
       select sum(amount_pence) over (order by entry_id) as taken from ledger_entry
       where resource_id = $1::uuid and account = 'MERCHANT_PAYABLE') t`,
    refundId,
  );
  return Number(found?.pence);
};

const bankAgrees = () =>
  waitUntil(async () => {
    const differences = await compareCollectingAccount(journey.outside);
    if (differences.length > 0) throw new Error(differences.join('\n'));
    return true;
  }, patience);

describe('a bank that contradicts itself', { timeout }, () => {
  test('a debit of a refund that had failed is not payable again, until it comes back', async () => {
    const { refundId, endToEndId, standing } = await refundOf('SIM-AC04', 'FAILED');
    await bankBooks(endToEndId, 250, { isDebit: true });
    expect(await caseOf(endToEndId, 'OPEN')).toMatchObject({
      ...{ orderedPence: '250', debitedPence: '250', booksSay: 'it never left' },
      ...{ differencePence: '250', heldPence: '250' },
    });
    expect(await booksOf(refundId)).toEqual({
      ...{ BANK_DIFFERENCES: 250, COLLECTING_ACCOUNT: -250 },
      ...{ MERCHANT_PAYABLE: 250, HELD_FOR_CASES: -250 },
    });
    await bankAgrees();
    await bankBooks(endToEndId, 250, { returnedWith: 'AC04' });
    await caseOf(endToEndId, 'RESOLVED');
    expect([await booksOf(refundId), await standing()]).toEqual([{}, 'FAILED']);
    await bankAgrees();
  });

  test('what has left by the bank is not refunded again, although its refund failed', async () => {
    const failed = await refundOf('SIM-AC04', 'FAILED', 12.5);
    const { paymentRequestId, endToEndId } = failed;
    // Money from which a second one could be paid.
    const other = await journey.create({ enableTips: false });
    await request('POST', `/api/sandbox/payment-requests/${other}/pay`, {});
    await journey.becomes(other, 'COMPLETED AC[SC]C');
    const again = async () =>
      (await request('POST', '/api/refund', { paymentRequestId, amount: 12.5 })).status;
    const pause = (transferHubPaused: boolean) =>
      request('POST', '/api/sandbox/switches', { transferHubPaused });
    await pause(true);
    expect(await again()).toBe(200);
    await bankBooks(endToEndId, 1250, { isDebit: true });
    await caseOf(endToEndId, 'OPEN');
    await pause(false);
    const [waiting] = await waitUntil(async () => {
      const refunds = (await request('GET', `/api/refund/${paymentRequestId}`)).body;
      const found = refunds.filter(
        ({ refundId }: { refundId: string }) => refundId !== failed.refundId,
      );
      if (/^OPERATOR: /.test(found[0]?.statusReason ?? '')) return found;
      throw new Error(JSON.stringify(found));
    }, patience);
    await pause(true);
    expect((await request('DELETE', `/api/refund/${waiting.refundId}/cancel`)).status).toBe(200);
    await pause(false);
    expect(await again()).toBe(400);
    await bankBooks(endToEndId, 1250, { returnedWith: 'AC04' });
    await caseOf(endToEndId, 'RESOLVED');
    expect(await again()).toBe(200);
  });

  longTest('of a return less charges only what came back is payable', async () => {
    const { refundId, endToEndId, standing } = await refundOf('o', 'COMPLETED');
    await bankBooks(endToEndId, 200, { returnedWith: 'AC04' });
    expect(await caseOf(endToEndId, 'OPEN')).toMatchObject({
      ...{ orderedPence: '250', returnedPence: '200', booksSay: 'it left and came back' },
      ...{ differencePence: '50', heldPence: '50' },
    });
    expect(await standing()).toBe('FAILED');
    expect(await booksOf(refundId)).toEqual({
      ...{ BANK_DIFFERENCES: 50, COLLECTING_ACCOUNT: -50 },
      ...{ MERCHANT_PAYABLE: 50, HELD_FOR_CASES: -50 },
    });
    // Held before the rest was payable again: a payout in between would have taken it.
    expect(await leastTakenPence(refundId)).toBe(50);
    await bankAgrees();
  });

  longTest('money under the id of a transfer that is no return of it is a case', async () => {
    const { endToEndId, standing } = await refundOf('o', 'COMPLETED');
    await bankBooks(endToEndId, 250, {});
    const credit = await waitUntil(async () => {
      const [found] = await rows<{ status: string; evidence: object }>(
        'test_unmatched_case',
        `select status, evidence from operator_case where kind = 'CREDIT_UNMATCHED'
           and evidence->>'endToEndId' = $1`,
        endToEndId,
      );
      if (found) return found;
      throw new Error('no case of this credit');
    }, patience);
    expect(credit).toMatchObject({ status: 'OPEN', evidence: { pence: '250', endToEndId } });
    expect(await standing()).toBe('COMPLETED');
    await bankAgrees();
  });

  longTest(
    'a debit of another amount settles nothing, and one that comes twice is a case',
    async () => {
      const waiting = await refundOf('SIM-PENDING', 'PENDING');
      await bankBooks(waiting.endToEndId, 300, { isDebit: true });
      expect(await caseOf(waiting.endToEndId, 'OPEN')).toMatchObject({
        ...{ orderedPence: '250', debitedPence: '300', booksSay: 'it is on its way' },
      });
      expect(await waiting.standing()).toBe('PENDING');
      const done = await refundOf('o', 'COMPLETED');
      await bankBooks(done.endToEndId, 250, { isDebit: true });
      expect(await caseOf(done.endToEndId, 'OPEN')).toMatchObject({
        ...{ debitedPence: '500', booksSay: 'it left', differencePence: '250', heldPence: '0' },
      });
      expect(await done.standing()).toBe('COMPLETED');
      await bankAgrees();
    },
  );
});
