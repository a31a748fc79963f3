import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CardPayments, cardPayments, type TestCard } from '../../harness/card-payments.ts';
import { compareCardBooks } from '../../harness/invariants/compare-card-books.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longDescribe } from '../../harness/long-test.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import type { SandboxReply } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000 };
const hour = 3_600_000;
const lifetime = (4 * 24 + 18) * hour;
const timeout = 60_000;
const challengeCard = '4000000000000127';
const approvedCard = '4242424242424242';

let journey: Journey;
let cards: CardPayments;
let card: TestCard;

beforeAll(async () => {
  journey = await openJourney();
  cards = cardPayments(journey.sandbox);
  card = await cards.saveCard(challengeCard);
});
afterAll(() => journey.close());

const times = <Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const authorised = async (captureType = 'MANUAL_CAPTURE'): Promise<string> => {
  const id = await cards.charged(card, { captureType, orderId: 'raced' });
  await waitUntil(async () => (await cards.status(id)).status === 'AUTHORIZED', patience);
  return id;
};
const becomes = (id: string, wanted: string) => journey.becomes(id, `${wanted}.*`);
const namesOf = (replies: readonly SandboxReply[]) =>
  replies.map(({ status, body }) => (status === 200 ? body.message : body.name));
const wonOf = (replies: readonly SandboxReply[]) => replies.filter(({ status }) => status === 200);
const atProcessor = async (id: string) =>
  (await cards.control.ofRequest(id)).map(({ status, captured }) => `${status} ${captured}`);

describe('a card whose deletion commits while it is charged', { timeout }, () => {
  /** Deletes as the product does, and commits when the charge waits for it, or has ended without. */
  const chargedDuringDeletion = async (
    { paymentMethodId }: TestCard,
    charge: () => Promise<SandboxReply>,
  ): Promise<SandboxReply> => {
    const deleting = new pg.Client({ connectionString: journey.sandbox.databaseUrl });
    await deleting.connect();
    await deleting.query('set search_path = florin');
    await deleting.query('begin');
    await deleting.query('select from card where card_id = $1 for update', [paymentMethodId]);
    await deleting.query(
      'update card set deleted_at = now(), reference_encrypted = null where card_id = $1',
      [paymentMethodId],
    );
    let hasEnded = false;
    const replied = charge().finally(() => {
      hasEnded = true;
    });
    await waitUntil(async () => {
      const waiting = await cards.rows(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return hasEnded || waiting.length > 0;
    }, patience);
    await deleting.query('commit');
    await deleting.end();
    return replied;
  };

  test('is not charged by the merchant', async () => {
    const deleted = await cards.saveCard(challengeCard);
    const orderId = 'by a deleted card';
    const reply = await chargedDuringDeletion(deleted, () => cards.charge(deleted, { orderId }));
    expect([reply.status, reply.body.message]).toEqual([404, 'This card was deleted.']);
    expect(await cards.rows('select from payment_request where order_id = $1', [orderId])).toEqual(
      [],
    );
  });

  test('is not charged from the page', async () => {
    const deleted = await cards.saveCard(challengeCard);
    const id = await journey.create({
      ...{ enableTips: false, paymentMethod: ['CARD', 'PAY_BY_BANK'] },
      atoaCustomerId: deleted.customerId,
    });
    const reply = await chargedDuringDeletion(deleted, () =>
      journey.sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {
        body: { method: 'CARD', paymentMethodId: deleted.paymentMethodId },
      }),
    );
    expect([reply.status, reply.body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'paymentMethodId' })],
    ]);
    expect(await cards.control.ofRequest(id)).toEqual([]);
  });
});

describe('capture, cancel and expiry on one authorisation', { timeout }, () => {
  test('one of eight independent callers wins, the others get 409', async () => {
    for (let round = 0; round < 2; round += 1) {
      const id = await authorised();
      const replies = await times(8, (index) =>
        index % 2 === round % 2 ? cards.capture(id) : cards.cancel(id),
      );
      const won = wonOf(replies);
      expect(won).toHaveLength(1);
      expect(new Set(namesOf(replies))).toEqual(new Set([won[0]?.body.message, 'INVALID_STATE']));
      const isCaptured = won[0]?.body.message.includes('captured');
      await becomes(id, isCaptured ? 'COMPLETED' : 'CANCELLED');
      expect(await atProcessor(id)).toEqual([isCaptured ? 'succeeded 1250' : 'canceled 0']);
      expect(await journey.eventsOf(id)).toEqual([
        'AUTHORIZED',
        isCaptured ? 'COMPLETED' : 'CANCELLED',
      ]);
    }
  });

  test('callers with one Idempotency-Key get the same reply', async () => {
    const id = await authorised();
    const headers = { 'idempotency-key': `one-of-many-${id}` };
    const replies = await times(6, () => cards.capture(id, { headers }));
    // A caller during the first call must retry with the same key.
    expect(namesOf(replies).filter((name) => name === 'INVALID_STATE')).toEqual([]);
    expect(wonOf(replies).length).toBeGreaterThan(0);
    const again = await times(5, () => cards.capture(id, { headers }));
    expect(new Set(again.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(
      new Set(wonOf(replies).map(({ body }) => `200 ${JSON.stringify(body)}`)),
    );
    expect((await cards.cancel(id)).body.name).toBe('INVALID_STATE');
    expect(await atProcessor(id)).toEqual(['succeeded 1250']);
    expect(await journey.eventsOf(id)).toEqual(['AUTHORIZED', 'COMPLETED']);
  });

  test.each(isLongRun ? ['MANUAL_CAPTURE', 'CAPTURE_BEFORE_EXPIRY'] : ['MANUAL_CAPTURE'])(
    '%s: capture and cancel race with the end of the authorisation',
    async (captureType) => {
      const id = await authorised(captureType);
      await cards.advance(lifetime - 7 * hour);
      const moved = cards.advance(8 * hour);
      const replies = await times(10, (index) =>
        index % 2 === 0 ? cards.capture(id) : cards.cancel(id),
      );
      await moved;
      await becomes(id, 'COMPLETED|CANCELLED');
      const { status } = await cards.status(id);
      const won = wonOf(replies);
      // No caller won if the expiry, or our own capture, came first.
      expect(won.length).toBeLessThanOrEqual(1);
      for (const { body } of won)
        expect(body.message).toContain(status === 'COMPLETED' ? 'captured' : 'cancelled');
      expect(await atProcessor(id)).toEqual([
        status === 'COMPLETED' ? 'succeeded 1250' : 'canceled 0',
      ]);
      expect(await journey.eventsOf(id)).toEqual(['AUTHORIZED', status]);
    },
  );
});

longDescribe('a charge that is sent twenty times at once', { timeout }, () => {
  test('with one Idempotency-Key is one charge with one reply', async () => {
    const headers = { 'idempotency-key': 'twenty-at-once' };
    const replies = await times(20, () => cards.charge(card, { orderId: 'twenty' }, { headers }));
    const bodies = new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`));
    expect([...bodies]).toHaveLength(1);
    const id = replies[0]?.body.paymentRequestId;
    await becomes(id, 'COMPLETED');
    const lines = await cards.control.payments();
    const ids = new Set(replies.map(({ body }) => body.paymentRequestId));
    expect(lines.filter(({ metadata }) => ids.has(metadata.paymentRequestId))).toHaveLength(1);
    expect(await journey.eventsOf(id)).toEqual(['COMPLETED']);
  });
});

/** The page's own form, as a browser sends it. */
const startOn = async (id: string, form: Readonly<Record<string, string>>) => {
  const { text } = await journey.payer.visit(
    `/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT&way=card`,
  );
  const field = /<input[^>]*name="formToken"[^>]*>/.exec(text)?.[0] ?? '';
  const formToken = /value="([^"]*)"/.exec(field)?.[1] ?? '';
  return () => journey.payer.visit('/pay/start', { paymentRequestId: id, formToken, ...form });
};
const heldFor = async (id: string): Promise<number> => {
  const lines = await cards.control.ofRequest(id);
  return lines.reduce((sum, { held, captured, refunded }) => sum + held + captured - refunded, 0);
};

describe('one payment page', { timeout }, () => {
  test('twenty clicks on a saved card make one payment', async () => {
    const id = await journey.create({ atoaCustomerId: card.customerId });
    const click = await startOn(id, { way: 'card', cardId: card.paymentMethodId });
    const replies = await times(20, click);
    for (const { status } of replies) expect(status).toBe(303);
    const atChallenge = [
      ...new Set(replies.map(({ location }) => location).filter((url) => url.startsWith('http'))),
    ];
    for (const url of atChallenge)
      await journey.sandbox.rails.payerRail?.payByCard(url, { challenge: 'APPROVE' });
    await becomes(id, 'COMPLETED');
    expect(await heldFor(id)).toBe(1250);
    expect(await journey.eventsOf(id)).toEqual(['COMPLETED']);
  });

  test('a bank and a card started at the same moment make one payment', async () => {
    for (let round = 0; round < 2; round += 1) {
      const id = await journey.create();
      const startCard = await startOn(id, { way: 'card' });
      const [bank, byCard] = await Promise.all([journey.payer.start(id), startCard()]);
      await Promise.all([
        bank.startsWith('http')
          ? journey.payer.approve(bank).then((back) => back && journey.payer.comeBack(back))
          : null,
        byCard.location.startsWith('http')
          ? journey.sandbox.rails.payerRail?.payByCard(byCard.location, {
              cardNumber: approvedCard,
            })
          : null,
      ]);
      await becomes(id, 'COMPLETED');
      const completed = (await journey.attemptsOf(id)).filter(
        ({ status }) => status === 'COMPLETED',
      );
      expect(completed).toHaveLength(1);
      // A card payment beside a bank payment is refunded.
      await waitUntil(async () => [0, 1250].includes(await heldFor(id)), patience);
    }
  });

  test('a payment during a cancellation completes or is refunded', async () => {
    for (let round = 0; round < 4; round += 1) {
      const page = await cards.openPage();
      const [reply] = await Promise.all([
        journey.sandbox.request('POST', `/api/payment-request/cancel/${page.id}`),
        journey.sandbox.rails.payerRail?.payByCard(page.url, { cardNumber: approvedCard }),
      ]);
      await becomes(page.id, reply.status === 200 ? 'CANCELLED' : 'COMPLETED');
      const wanted = reply.status === 200 ? 0 : 500;
      await waitUntil(async () => (await heldFor(page.id)) === wanted, patience);
    }
  });
});

test('the books of both sides agree and every invariant holds', { timeout }, async () => {
  await waitUntil(async () => {
    const wrong = await compareCardBooks(journey.outside);
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
  await journey.allAgree();
});
