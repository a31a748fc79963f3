import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listCases, resolveCase } from '../../../service/src/modules/operator-cases/index.ts';
import type { TestCard } from '../../harness/card-payments.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { type CardAccounts, openCardAccounts } from '../../harness/open-card-accounts.ts';

let accounts: CardAccounts;
let card: TestCard;
beforeAll(async () => {
  accounts = await openCardAccounts();
  await accounts.use('acct_first');
  card = await accounts.first.saveCard('4000000000000127');
});
afterEach(async () => {
  await accounts.first.control.noFaults();
  await accounts.second.control.noFaults();
});
afterAll(async () => {
  expect(await findBrokenInvariants(accounts.sandbox.databaseUrl)).toEqual([]);
  await accounts.close();
});

const patience = { withinMs: 20_000 };
const bookedOf = async (id: string) => ({
  first: (await accounts.first.control.ofRequest(id)).map(
    ({ status, captured, refunded }) => `${status} ${captured} ${refunded}`,
  ),
  second: (await accounts.second.control.ofRequest(id)).length,
});
const reaches = (id: string, wanted: string) =>
  accounts.first.until(async () => {
    const { status } = await accounts.first.status(id);
    return status === wanted;
  }, patience);
const authorised = async (captureType = 'MANUAL_CAPTURE') => {
  const id = await accounts.first.charged(card, { captureType });
  await reaches(id, 'AUTHORIZED');
  return id;
};
const completed = async () => {
  const id = await accounts.first.charged(card);
  await reaches(id, 'COMPLETED');
  return id;
};
/** The first account's answers are lost, and nothing can be read there. */
const fallSilent = async (operation: string, kind: string) => {
  await accounts.first.control.fault(operation, kind, { times: 2 });
  await accounts.first.control.fault('cards:read', 'down', { times: 100 });
};
const speakAgain = () => accounts.first.control.noFaults();
const refundOf = async (id: string) =>
  (await accounts.sandbox.request('GET', `/api/refund/${id}`)).body[0];

describe('after a move to another account at the processor', () => {
  const lostCharges = [
    ['cut-after', 'whose answer was lost'],
    ['cut-before', 'that never arrived'],
  ] as const;
  test.each(isLongRun ? lostCharges : lostCharges.slice(0, 1))(
    'a charge (%s: %s) is resolved at the account that it was made with',
    async (kind) => {
      await accounts.use('acct_first');
      await fallSilent('cards:intent', kind);
      const id = await accounts.first.charged(card);
      await accounts.use('acct_second');
      await speakAgain();
      await reaches(id, 'COMPLETED');
      expect(await bookedOf(id)).toEqual({ first: ['succeeded 1250 0'], second: 0 });
    },
  );

  longTest('an authorised payment is captured where it was authorised', async () => {
    await accounts.use('acct_first');
    const id = await authorised();
    await accounts.use('acct_second');
    expect((await accounts.first.capture(id)).status).toBe(200);
    await reaches(id, 'COMPLETED');
    expect(await bookedOf(id)).toEqual({ first: ['succeeded 1250 0'], second: 0 });
  });

  longTest('an authorised payment is cancelled where it was authorised', async () => {
    await accounts.use('acct_first');
    const id = await authorised();
    await accounts.use('acct_second');
    expect((await accounts.first.cancel(id)).status).toBe(200);
    await reaches(id, 'CANCELLED');
    expect(await bookedOf(id)).toEqual({ first: ['canceled 0 0'], second: 0 });
  });

  const unanswered = [
    ['capture', 'COMPLETED', 'succeeded 1250 0'],
    ['cancel', 'CANCELLED', 'canceled 0 0'],
  ] as const;
  test.each(isLongRun ? unanswered : unanswered.slice(0, 1))(
    'a %s without an answer is carried out there',
    async (operation, status, line) => {
      await accounts.use('acct_first');
      const id = await authorised();
      await fallSilent(`cards:${operation}`, 'cut-before');
      expect((await accounts.first[operation](id)).status).toBe(503);
      await accounts.use('acct_second');
      await speakAgain();
      await accounts.first.advance(60_000);
      await reaches(id, status);
      expect(await bookedOf(id)).toEqual({ first: [line], second: 0 });
    },
  );

  test('a payment is refunded where it was paid', async () => {
    await accounts.use('acct_first');
    const id = await completed();
    await accounts.use('acct_second');
    const body = { paymentRequestId: id, amount: 4 };
    expect((await accounts.sandbox.request('POST', '/api/refund', { body })).status).toBe(200);
    await accounts.first.until(async () => (await refundOf(id)).status === 'COMPLETED', patience);
    expect(await bookedOf(id)).toEqual({ first: ['succeeded 1250 400'], second: 0 });
  });

  test('a refund without an answer is found where it was sent, and paid once', async () => {
    await accounts.use('acct_first');
    const id = await completed();
    await fallSilent('cards:refund', 'cut-after');
    const body = { paymentRequestId: id, amount: 4 };
    await accounts.sandbox.request('POST', '/api/refund', { body });
    const refunded = () => accounts.first.control.ofRequest(id);
    await accounts.first.until(async () => (await refunded())[0]?.refunded === 400, patience);
    await accounts.use('acct_second');
    await speakAgain();
    await accounts.first.advance(60_000);
    await accounts.first.until(async () => (await refundOf(id)).status === 'COMPLETED', patience);
    expect(await bookedOf(id)).toEqual({ first: ['succeeded 1250 400'], second: 0 });
  });

  test('a page that was open during the move takes the payment', async () => {
    await accounts.use('acct_first');
    const page = await accounts.first.openPage();
    await accounts.use('acct_second');
    const { payerRail } = accounts.sandbox.rails;
    await payerRail?.payByCard(page.url, { cardNumber: '4242424242424242' });
    await reaches(page.id, 'COMPLETED');
    expect(await bookedOf(page.id)).toEqual({ first: ['succeeded 500 0'], second: 0 });
  });

  test('a dispute of a payment is heard from the account where it was paid', async () => {
    await accounts.use('acct_first');
    const page = await accounts.first.openPage();
    await accounts.use('acct_second');
    const { payerRail } = accounts.sandbox.rails;
    await payerRail?.payByCard(page.url, { cardNumber: '4000000000000259' });
    await accounts.first.until(async () => {
      const history = await accounts.first.rows(
        `select 1 from payment_history where payment_request_id = $1 and trigger = 'disputed'`,
        [page.id],
      );
      return history.length > 0;
    }, patience);
  });

  test('a card of the former account is not charged at the other, and is detached there', async () => {
    await accounts.use('acct_first');
    const other = await accounts.first.saveCard('4000000000000127');
    await accounts.use('acct_second');
    expect((await accounts.first.charge(other)).status).toBe(409);
    const path = `/api/customers/${other.customerId}/cards/${other.paymentMethodId}`;
    expect((await accounts.sandbox.request('DELETE', path)).status).toBe(200);
    await accounts.first.until(async () => {
      const [row] = await accounts.first.rows(
        'select outcome from card_detachment where customer_id = $1',
        [other.customerId],
      );
      return row?.outcome === 'DETACHED';
    }, patience);
  });
});

/** The open case about the keys of the first account, once. */
const missingCase = () =>
  accounts.first.until(async () => {
    const open = await listCases(accounts.sandbox.tools, 'OPEN');
    const about = open.filter(({ kind }) => kind === 'CARD_ACCOUNT_KEYS_MISSING');
    expect(about.length).toBeLessThan(2);
    return about[0];
  }, patience);
const closeCase = async (caseId: string) => {
  const resolution = { actor: 'Ada', resolution: 'The keys are here again.' };
  await resolveCase(accounts.sandbox.tools, caseId, resolution);
};
const stepOf = async (id: string) =>
  (await accounts.first.rows('select step from attempt where payment_request_id = $1', [id]))[0]
    ?.step;

describe('without the keys of its account', () => {
  test('a charge stays open, is sent to no other, and is resolved when they are here again', async () => {
    await accounts.use('acct_first');
    await fallSilent('cards:intent', 'cut-before');
    const id = await accounts.first.charged(card);
    await accounts.use('acct_second');
    await accounts.forget('acct_first');
    await speakAgain();
    const found = await missingCase();
    expect(found).toMatchObject({
      merchantId: accounts.sandbox.tenant.merchantId,
      evidence: { accountKey: 'acct_first', paymentRequestId: id },
    });
    expect(found.description).toContain('acct_first');
    await accounts.first.advance(10 * 60_000);
    expect([(await accounts.first.status(id)).status, await stepOf(id)]).toEqual([
      ...['PENDING', 'CHARGING'],
    ]);
    expect(await bookedOf(id)).toEqual({ first: [], second: 0 });
    await accounts.save('acct_first');
    await closeCase(found.caseId);
    await accounts.first.advance(3_600_000);
    await reaches(id, 'COMPLETED');
    expect(await bookedOf(id)).toEqual({ first: ['succeeded 1250 0'], second: 0 });
  });

  test('an authorised payment is not captured; capture and refund say what is missing', async () => {
    await accounts.use('acct_first');
    const held = await authorised('CAPTURE_BEFORE_EXPIRY');
    const paid = await completed();
    await accounts.use('acct_second');
    await accounts.forget('acct_first');
    const refund = { paymentRequestId: paid, amount: 4 };
    for (const refused of [
      await accounts.first.capture(held),
      await accounts.first.cancel(held),
      await accounts.sandbox.request('POST', '/api/refund', { body: refund }),
    ]) {
      expect([refused.status, refused.body.name]).toEqual([503, 'RAIL_NOT_CONFIGURED']);
      expect(refused.body.message).toContain('acct_first');
    }
    // Past the time of its capture, before the end of its authorisation.
    await accounts.first.advance((4 * 24 + 13) * 3_600_000);
    const { caseId } = await missingCase();
    expect([(await accounts.first.status(held)).status, await stepOf(held)]).toEqual([
      ...['AUTHORIZED', 'AUTHORISED'],
    ]);
    await accounts.save('acct_first');
    await closeCase(caseId);
    expect((await accounts.first.capture(held)).status).toBe(200);
    await reaches(held, 'COMPLETED');
    expect(await bookedOf(held)).toEqual({ first: ['succeeded 1250 0'], second: 0 });
  });

  test('a refund waits for them', async () => {
    await accounts.use('acct_first');
    const id = await completed();
    await fallSilent('cards:refund', 'cut-before');
    await accounts.sandbox.request('POST', '/api/refund', {
      body: { paymentRequestId: id, amount: 4 },
    });
    await accounts.first.until(async () => (await refundOf(id)).status === 'PENDING', patience);
    await accounts.use('acct_second');
    await accounts.forget('acct_first');
    await speakAgain();
    await accounts.first.advance(60_000);
    const { caseId, evidence } = await missingCase();
    expect(evidence).toMatchObject({ accountKey: 'acct_first' });
    expect((await refundOf(id)).status).toBe('PENDING');
    await accounts.save('acct_first');
    await closeCase(caseId);
    await accounts.first.advance(2 * 3_600_000);
    await accounts.first.until(async () => (await refundOf(id)).status === 'COMPLETED', patience);
    expect(await bookedOf(id)).toEqual({ first: ['succeeded 1250 400'], second: 0 });
  });
});
