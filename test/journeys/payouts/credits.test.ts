import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorSecret } from '../../../service/src/modules/operators/index.ts';
import { compareCollectingAccount } from '../../harness/invariants/compare-collecting-account.ts';
import { longDescribe, longTest } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { runCommand } from '../../harness/programs/run-command.ts';
import { waitUntil } from '../../harness/wait-until.ts';
import { describeNotices } from './describe-notices.ts';

const patience = { withinMs: 30_000 };
const timeout = 120_000;

let journey: Journey;
let secret: string;
beforeAll(async () => {
  journey = await openJourney();
  ({ secret } = await createOperatorSecret(journey.sandbox.tools, 'Ada', null));
});
afterAll(() => journey.close());

const operate = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, `/api/operator${path}`, { secret, body });
const credits = async (status: string) =>
  (await operate('GET', `/credits?status=${status}&size=100`)).body.data;

/** Paid at a bank that never reports more than ACSP. */
const paidAtAcsp = async (more: object = {}): Promise<string> => {
  const id = await journey.create({ enableTips: false, ...more });
  await journey.payer.pay(id, 'never-settles');
  await journey.becomes(id, 'COMPLETED ACSP');
  return id;
};

/** The payment is a line of the open payout. */
const isPayable = (id: string, amount: string): Promise<boolean> =>
  waitUntil(async () => {
    const { body } = await journey.sandbox.request('GET', '/api/payouts?status=PENDING');
    for (const payout of body.data) {
      const path = `/api/payouts/${payout.id}/transactions?limit=100`;
      const lines = (await journey.sandbox.request('GET', path)).body.data;
      if (
        lines.some(
          (line: { paymentRequestId: string; amount: string }) =>
            line.paymentRequestId === id && line.amount === amount,
        )
      )
        return true;
    }
    throw new Error(`${id} is no line of an open payout`);
  }, patience);

const control = async (path: string, body: object): Promise<void> => {
  const text = await readFile(`${journey.outside.trustFolder}/registration.json`, 'utf8');
  const { controlUrl, controlToken } = JSON.parse(text);
  const answer = await fetch(`${controlUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
};

const collecting = async () => {
  const [row] = await journey.sandbox.tools.database.system<
    object,
    { sort_code: string; account_number: string }
  >(
    {
      name: 'test_collecting',
      text: "select sort_code, account_number from collecting_account where environment = 'SANDBOX'",
      valueNames: [],
    },
    {},
  );
  return { sortCode: row?.sort_code ?? '', accountNumber: row?.account_number ?? '' };
};

const deposit = async (amountPence: number, more: object = {}): Promise<void> =>
  control('/transfers/deposits', {
    account: await collecting(),
    from: { sortCode: '180002', accountNumber: '00000190', name: 'Some Body' },
    amountPence,
    reference: 'thank you',
    ...more,
  });

const unmatched = (amount: string) =>
  waitUntil(async () => {
    const found = (await credits('UNMATCHED')).find(
      (credit: { amount: string }) => credit.amount === amount,
    );
    if (found) return found;
    throw new Error(JSON.stringify(await operate('GET', '/credits')));
  }, patience);

describe('a notice of the bank', { timeout }, () =>
  describeNotices(() => ({
    journey,
    collecting,
    deposit,
    credits: () => operate('GET', '/credits?size=100'),
  })),
);

describe('money known only as ACSP', { timeout }, () => {
  test('is payable once the account report lists its end-to-end id', async () => {
    const id = await paidAtAcsp();
    await isPayable(id, '12.50');
    expect(await credits('MATCHED')).toMatchObject([
      { paymentRequestId: id, matchedBy: 'END_TO_END_ID', amount: '12.50' },
    ]);
    expect(await journey.standing(id)).toBe('COMPLETED ACSP');
  });

  test('is matched by amount and name where the report hides the id', async () => {
    const id = await paidAtAcsp({ amount: 13.37, orderId: 'SIM-HIDE-ID' });
    await isPayable(id, '13.37');
    const matched = (await credits('MATCHED')).find(
      (credit: { paymentRequestId: string }) => credit.paymentRequestId === id,
    );
    expect(matched).toMatchObject({ matchedBy: 'AMOUNT_AND_NAME', endToEndId: null });
  });

  longTest('is not settled twice where ACSC is reported as well', async () => {
    const id = await journey.create({ enableTips: false, amount: 14.01 });
    await journey.payer.pay(id, 'approve');
    await journey.becomes(id, 'COMPLETED ACSC');
    await waitUntil(async () => {
      const all = await credits('MATCHED');
      if (all.some((one: { paymentRequestId: string }) => one.paymentRequestId === id)) return true;
      throw new Error('its credit is not matched');
    }, patience);
    await isPayable(id, '14.01');
  });
});

describe('a credit that no payment explains', { timeout }, () => {
  test('opens an operator case and is matched by hand, once', async () => {
    // Paid at ACSP; what arrives names neither the id nor the payer: a person has to say.
    const paid = await journey.create({ enableTips: false, amount: 21.21 });
    await journey.payer.pay(paid, 'settled-late');
    await journey.becomes(paid, 'COMPLETED ACSP');
    await deposit(2121);
    const credit = await unmatched('21.21');
    const opened = (await operate('GET', '/cases?status=OPEN&size=100')).body.data;
    expect(opened).toContainEqual(
      expect.objectContaining({ kind: 'CREDIT_UNMATCHED', subject: credit.creditId }),
    );
    const target = {
      merchantId: journey.sandbox.tenant.merchantId,
      environment: 'sandbox',
      paymentRequestId: paid,
      attemptId: await attemptIdOf(paid),
      evidence: 'The statement of 22 November names order 2.',
    };
    const path = `/credits/${credit.creditId}/match`;
    const matched = await operate('POST', path, target);
    expect([matched.status, matched.body]).toEqual([
      200,
      expect.objectContaining({ status: 'MATCHED', matchedBy: 'OPERATOR', paymentRequestId: paid }),
    ]);
    await isPayable(paid, '21.21');
    expect((await operate('POST', path, target)).body.name).toBe('INVALID_STATE');
    const { data } = (await operate('GET', '/cases?status=RESOLVED&size=100')).body;
    expect(data).toContainEqual(
      expect.objectContaining({ subject: credit.creditId, resolution: target.evidence }),
    );
    const audit = (await operate('GET', '/audit-records?size=100')).body.data;
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'matchCredit', actor: 'Ada', outcome: 'DONE' }),
    );
  });

  longTest('is refused for another amount, an unknown payment and an unknown credit', async () => {
    const paid = await paidAtAcsp({ amount: 31 });
    await isPayable(paid, '31.00');
    await deposit(3100);
    const credit = await unmatched('31.00');
    const target = {
      merchantId: journey.sandbox.tenant.merchantId,
      environment: 'sandbox',
      paymentRequestId: paid,
      attemptId: await attemptIdOf(paid),
      evidence: 'e',
    };
    const match = (body: object, id = credit.creditId) =>
      operate('POST', `/credits/${id}/match`, body);
    // Paid already, by the first credit.
    expect((await match(target)).body).toMatchObject({ name: 'CONFLICT', status: 409 });
    const other = await paidAtAcsp({ amount: 32 });
    const otherAmount = {
      ...target,
      paymentRequestId: other,
      attemptId: await attemptIdOf(other),
    };
    expect((await match(otherAmount)).body).toMatchObject({ name: 'INVALID_STATE' });
    expect((await match({ ...target, attemptId: paid })).status).toBe(404);
    expect((await match(target, paid)).status).toBe(404);
    expect((await match({ ...target, evidence: ' ' })).status).toBe(400);
    const { databaseUrl, folder } = journey.sandbox;
    const settings = { DATABASE_URL: databaseUrl, FLORIN_DATA: folder };
    const listed = await runCommand('operate.ts', ['credits', 'unmatched'], settings);
    expect(listed.out).toContain(credit.creditId);
    const words = [credit.creditId, target.merchantId, 'sandbox', paid, target.attemptId, 'e'];
    const refused = await runCommand('operate.ts', ['match-credit', ...words], settings);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('another credit')]);
  });

  test('of a known id but another amount settles nothing', async () => {
    const id = await journey.create({ enableTips: false, amount: 41 });
    await journey.payer.pay(id, 'pending-forever');
    await journey.becomes(id, 'PENDING PDNG');
    const endToEndId = await endToEndIdOf(id);
    await deposit(4000, { endToEndId });
    expect(await unmatched('40.00')).toMatchObject({ endToEndId, reason: 'OTHER_AMOUNT' });
    expect(await journey.standing(id)).toBe('PENDING PDNG');
  });
});

longDescribe('a credit that its bank has reversed', { timeout }, () => {
  const casesOf = async (creditId: string, status: string) => {
    const { data } = (await operate('GET', `/cases?status=${status}&size=100`)).body;
    return data.filter(({ subject }: { subject: string }) => subject === creditId);
  };
  const reversed = (endToEndId: string) =>
    waitUntil(async () => {
      const found = (await credits('REVERSED')).find(
        (credit: { endToEndId: string }) => credit.endToEndId === endToEndId,
      );
      if (found) return found;
      throw new Error(JSON.stringify((await operate('GET', '/credits?size=100')).body.data));
    }, patience);

  test('opens no case where it is read after the reversal', async () => {
    await control('/transfers/faults', { operation: 'list', kind: 'down', times: 1000 });
    const id = await journey.create({ enableTips: false, amount: 51, expiresIn: 86_400_000 });
    await journey.payer.pay(id, 'rejected-settled');
    await journey.becomes(id, 'COMPLETED ACSC');
    await journey.advance(10 * 60_000);
    await journey.becomes(id, 'FAILED RJCT');
    await journey.control.noFaults();
    const credit = await reversed(await endToEndIdOf(id));
    expect([await casesOf(credit.creditId, 'OPEN'), credit.reason]).toEqual([[], null]);
  });

  test('ends a case that was opened before the debit was read', async () => {
    const id = await journey.create({ enableTips: false, amount: 52 });
    await journey.payer.pay(id, 'payee-closed');
    await journey.becomes(id, 'FAILED RJCT');
    const endToEndId = await endToEndIdOf(id);
    await deposit(5200, { endToEndId });
    const credit = await unmatched('52.00');
    expect(credit).toMatchObject({ endToEndId, reason: 'PAYMENT_FAILED' });
    expect(await casesOf(credit.creditId, 'OPEN')).toHaveLength(1);
    await deposit(5200, { endToEndId, isReversal: true });
    await reversed(endToEndId);
    await waitUntil(async () => {
      const [resolved] = await casesOf(credit.creditId, 'RESOLVED');
      if (resolved?.resolution.includes('again')) return true;
      throw new Error('its case is open');
    }, patience);
  });
});

longTest('money at the hub that our books do not know is a break', { timeout }, async () => {
  await control('/transfers/faults', { operation: 'list', kind: 'down', times: 1000 });
  await deposit(6100);
  expect(await compareCollectingAccount(journey.outside)).toEqual([
    expect.stringContaining('the hub holds'),
  ]);
  await journey.control.noFaults();
  await unmatched('61.00');
});

test('the books agree', { timeout }, () => journey.allAgree({}));

const attemptText = async (id: string, column: string): Promise<string> => {
  const [row] = await journey.sandbox.tools.database.system<{ id: string }, { text: string }>(
    {
      name: `test_attempt_${column}`,
      text: `select ${column}::text as text from attempt where payment_request_id = $1::uuid`,
      valueNames: ['id'],
    },
    { id },
  );
  return row?.text ?? '';
};
const attemptIdOf = (id: string): Promise<string> => attemptText(id, 'attempt_id');
const endToEndIdOf = (id: string): Promise<string> => attemptText(id, 'payment_idempotency_id');
