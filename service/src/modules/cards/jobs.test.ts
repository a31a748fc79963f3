import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { silentLog } from '#platform/log.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { useSimulatedAccount } from '../../rails/stripe/test/simulated-account.ts';
import { ensureProcessorCustomer } from './ensure-processor-customer.ts';
import { detachCards } from './jobs.ts';
import { findChargeableCard } from './saved-cards.ts';
import { type CardsService, openCards } from './test/open-cards.ts';

const account = useSimulatedAccount();
let service: CardsService;
beforeAll(async () => {
  service = await openCards();
});
afterAll(() => service.close());

/** A customer who paid on the processor's page and saved the card. */
const saveCard = async (cardNumber = '4000000000000127') => {
  const customerId = await service.newCustomer();
  const { tools, sandbox } = service;
  const made = await ensureProcessorCustomer(tools, account.rail, sandbox, customerId);
  if (made.kind !== 'READY') throw new Error(made.kind);
  const { customerReference } = made;
  const pay = async (card: Parameters<typeof account.pay>[0]) => {
    const saveCard = { recurrenceType: 'unscheduled' } as const;
    const saving = { customerReference, saveCard, showsSavedCards: true };
    const { outcome, attemptId } = await account.pay(card, saving);
    if (outcome.kind !== 'COMPLETED') throw new Error(outcome.kind);
    const { payment } = outcome;
    await service.pay(customerId, { attemptId, payment, accountKey: account.rail.accountKey });
    return payment;
  };
  const { savedCardReference } = await pay({ cardNumber });
  const [card] = await service.cards(customerId);
  return { customerId, card, pay, reference: String(savedCardReference) };
};

const path = (customerId: string, cardId = '') => `/api/customers/${customerId}/cards/${cardId}`;
const holderOf = async (reference: string) =>
  (await account.books.paymentMethods.retrieve(reference)).customer;

const find = async (customerId: string, cardId: string | undefined) => {
  const { tools, sandbox } = service;
  const found = await findChargeableCard(tools, sandbox, customerId, String(cardId));
  if (found.kind !== 'CHARGEABLE') throw new Error(found.kind);
  return found.card;
};

const railsOf = (rail: CardRail | null) => ({
  findAccount: async (_: object, accountKey: string) =>
    rail?.accountKey === accountKey ? rail : null,
});
const run = (rail: CardRail | null = account.rail) =>
  detachCards({ ...service.tools, cardRails: railsOf(rail) });
/** Real time passes in the database: postponed rows are due, leases are over. */
const passTime = statement<object, never>(
  'test_pass_time',
  sql()`
   update card_detachment set due_at = due_at - interval '1 day',
     leased_until = leased_until - interval '1 day' where done_at is null and kind = 'CARD'`,
);
const passMonth = statement<{ readonly customerId: string }, { readonly days_before: number }>(
  'test_pass_month',
  sql('customerId')`
   with planned as materialized (
     select customer_id, due_at from card_detachment
     where kind = 'CUSTOMER' and customer_id = :customerId)
   update card_detachment d set due_at = clock_timestamp()
   from planned p where d.kind = 'CUSTOMER' and d.customer_id = p.customer_id
   returning extract(day from p.due_at - clock_timestamp())::int as days_before`,
);
const later = () => service.database.system(passTime, {});
const railThat = (detachCard: CardRail['detachCard']): CardRail => ({
  ...account.rail,
  detachCard,
});

describe('a saved card', () => {
  test('is charged by its stored reference', async () => {
    const { customerId, card } = await saveCard();
    const found = await find(customerId, card?.cardId);
    const { customerReference, cardReference, recurrenceType } = found;
    const order = account.chargeOf(
      { customer: customerReference, card: cardReference },
      { recurrenceType },
    );
    const charged = await account.rail.charge(account.rail.prepareCharge(order));
    expect(charged.kind).toBe('COMPLETED');
  });

  test('saved on two pages is one card, and the older reference is detached', async () => {
    const { customerId, pay, reference } = await saveCard();
    await pay({ cardNumber: '4000000000000127' });
    const cards = await service.cards(customerId);
    expect(cards).toHaveLength(1);
    expect(cards[0]?.cardReference).not.toBe(reference);
    await run();
    expect(await holderOf(reference)).toBeNull();
    expect(await holderOf(String(cards[0]?.cardReference))).not.toBeNull();
  });

  test('is not saved without authentication, and is detached', async () => {
    const { customerId, card, reference } = await saveCard('4242424242424242');
    expect(card).toBeUndefined();
    expect(await run()).toBeGreaterThan(0);
    expect(await holderOf(reference)).toBeNull();
    expect(await service.detachments(customerId)).toMatchObject([
      { reference: null, reason: 'NOT_AUTHENTICATED', outcome: 'DETACHED', attempts: 1 },
    ]);
  });
});

describe('a customer who is deleted', () => {
  const nameAt = async (reference: string) => {
    const found = await account.books.customers.retrieve(reference);
    return found.deleted ? null : found.name;
  };

  test('is deleted at the processor when no authorisation is left to capture', async () => {
    const { customerId, card } = await saveCard();
    const { customerReference } = await find(customerId, card?.cardId);
    expect(await nameAt(customerReference)).not.toBeNull();
    await service.request('DELETE', `/api/customers/${customerId}`);
    expect(await run()).toBe(1);
    expect(await nameAt(customerReference)).not.toBeNull();
    const passed = await service.database.system(passMonth, { customerId });
    expect(passed).toEqual([{ days_before: 30 }]);
    expect(await run({ ...account.rail, deleteCustomer: noAnswer })).toBe(0);
    await service.database.system(passMonth, { customerId });
    expect(await run()).toBe(1);
    expect(await nameAt(customerReference)).toBeNull();
    expect(await service.detachments(customerId)).toMatchObject([
      { kind: 'CARD', outcome: 'DETACHED' },
      { kind: 'CUSTOMER', reference: null, outcome: 'DELETED', attempts: 2 },
    ]);
  });
});

const noAnswer = async () => ({ kind: 'UNKNOWN', description: 'No answer.' }) as const;

describe('a card to detach', () => {
  test('stays attached while an authorisation can be captured', async () => {
    const { customerId, card } = await saveCard();
    const found = await find(customerId, card?.cardId);
    const order = account.chargeOf(
      { customer: found.customerReference, card: found.cardReference },
      { captureMethod: 'MANUAL' },
    );
    const authorised = await account.rail.charge(account.rail.prepareCharge(order));
    if (authorised.kind !== 'AUTHORIZED') throw new Error(authorised.kind);
    await service.request('DELETE', `/api/customers/${customerId}`);
    expect(await run()).toBe(1);
    expect((await account.rail.capture(authorised.state)).kind).toBe('COMPLETED');
  });

  test('is detached at the processor after its deletion', async () => {
    const { customerId, card, reference } = await saveCard();
    expect(await holderOf(reference)).not.toBeNull();
    await service.request('DELETE', path(customerId, card?.cardId));
    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    expect(await holderOf(reference)).toBeNull();
  });

  test('is detached with its customer', async () => {
    const { customerId, reference } = await saveCard();
    await service.request('DELETE', `/api/customers/${customerId}`);
    expect(await run()).toBe(1);
    expect(await holderOf(reference)).toBeNull();
  });

  test('is detached by one worker at a time', async () => {
    const { customerId, card } = await saveCard();
    await service.request('DELETE', path(customerId, card?.cardId));
    const done = await Promise.all(Array.from({ length: 10 }, () => run()));
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(1);
  });

  test('is detached again after a crash, without an error', async () => {
    const { customerId, card, reference } = await saveCard();
    await service.request('DELETE', path(customerId, card?.cardId));
    let detached = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      detached = resolve;
    });
    // The processor has done it; the worker dies before it records the outcome.
    void run(
      railThat(async (requested) => {
        await account.rail.detachCard(requested);
        detached();
        return new Promise(() => undefined);
      }),
    );
    await answered;
    expect(await holderOf(reference)).toBeNull();
    expect(await run()).toBe(0);
    await later();
    expect(await run()).toBe(1);
    expect(await service.detachments(customerId)).toMatchObject([
      { outcome: 'DETACHED', attempts: 2 },
    ]);
  });

  test.each([
    ['no answer', () => railThat(async () => ({ kind: 'UNKNOWN', description: 'No answer.' }))],
    [
      'a refusal',
      () => railThat(async () => ({ kind: 'REFUSED', code: 'busy', description: 'Not now.' })),
    ],
    [
      'a bug',
      () =>
        railThat(() => {
          throw new Error('a bug');
        }),
    ],
    ['no processor', () => null],
    ['another account', () => ({ ...account.rail, accountKey: 'stripe' })],
  ])('stays queued after %s', async (_, fault) => {
    const { customerId, card, reference } = await saveCard();
    await service.request('DELETE', path(customerId, card?.cardId));
    const rail = fault();
    for (let time = 1; time <= 3; time += 1) {
      expect(await run(rail)).toBe(0);
      // Put off: the processor is not called again at once.
      expect(await run(rail)).toBe(0);
      expect(await service.detachments(customerId)).toMatchObject([
        { reference, outcome: null, attempts: time },
      ]);
      await later();
    }
    expect(await run()).toBe(1);
    expect(await holderOf(reference)).toBeNull();
  });

  test('alerts the operator when it cannot be detached, without naming the card', async () => {
    const { customerId, card, reference } = await saveCard();
    await service.request('DELETE', path(customerId, card?.cardId));
    const warned: object[] = [];
    const log = { ...silentLog, warn: (line: object) => warned.push(line) };
    const silent = railThat(async () => ({ kind: 'UNKNOWN', description: 'No answer.' }));
    for (let time = 1; time <= 6; time += 1) {
      expect(warned).toEqual([]);
      await detachCards({ ...service.tools, log, cardRails: railsOf(silent) });
      await later();
    }
    expect(warned).toMatchObject([{ job: 'detachCards', attempts: 6, error: 'No answer.' }]);
    expect(JSON.stringify(warned)).not.toContain(reference);
    expect(await run()).toBe(1);
  });

  test('stays attached while a saved card uses the same reference', async () => {
    const { customerId, pay, reference } = await saveCard();
    expect((await pay({ savedCard: reference })).savedCardReference).toBe(reference);
    const [card] = await service.cards(customerId);
    expect(card?.cardReference).toBe(reference);
    await run();
    expect(await holderOf(reference)).not.toBeNull();
    const detachments = await service.detachments(customerId);
    expect(detachments.every(({ outcome }) => outcome === 'STILL_SAVED')).toBe(true);
  });
});
