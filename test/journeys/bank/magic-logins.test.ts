import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchMessages } from '../../../service/src/rails/open-banking-uk/test/watch-messages.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
const messages = watchMessages();

beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const minute = 60_000;

/** What the short run leaves to the long one: the simulator's own tests show each login at the bank. */
const alike = [
  ...['any other name', 'never-settles', 'bank-down', 'slow', 'hidden-account', 'payee-closed'],
  ...['bank-error', 'settled-late', 'rejected-late', 'not-posted', 'token-error', 'credited'],
  // Of a lost message and of a reversal the other one is shown; the last has a test below.
  ...['lost-request', 'rejected-settled', 'blocked'],
];
const isShown = (login: string): boolean => isLongRun || !alike.includes(login);

/** Login, outcome of the payment, text about the money. Those with a later outcome are below. */
const endings: readonly (readonly [login: string, ending: string, page: RegExp])[] = [
  ['approve', 'COMPLETED ACSC', /payment complete/i],
  ['any other name', 'COMPLETED ACSC', /payment complete/i],
  ['not-posted', 'COMPLETED ACWP', /payment complete/i],
  ['never-settles', 'COMPLETED ACSP', /payment complete/i],
  // The account shows the money from ACWC on, and a settled payment is polled next after a minute.
  ['every-step', 'COMPLETED AC(WC|SC|CC)', /payment complete/i],
  ['lost-answer', 'COMPLETED ACSC', /payment complete/i],
  ['lost-request', 'COMPLETED ACSC', /payment complete/i],
  ['bank-down', 'COMPLETED ACSC', /payment complete/i],
  ['slow', 'COMPLETED ACSC', /payment complete/i],
  ['hidden-account', 'COMPLETED ACSC', /payment complete/i],
  ['pending-forever', 'PENDING PDNG', /do not pay again|on its way/i],
  ['insufficient-funds', 'FAILED RJCT', /no money/i],
  ['payee-closed', 'FAILED RJCT', /no money/i],
  ['blocked', 'FAILED BLCK', /has left your account|may have left/i],
  ['token-error', 'FAILED RJCT', /no money/i],
  ['bank-error', 'FAILED RJCT', /no money/i],
  ['decline', 'PAYMENT_NOT_INITIATED', /no money/i],
];

describe('each magic login', () => {
  test.concurrent.each(endings.filter(([login]) => isShown(login)))(
    '%s ends in %s',
    { timeout: 120_000 },
    async (login, ending, page) => {
      const id = await journey.create();
      await journey.payer.pay(id, login);
      await journey.becomes(id, ending);
      expect(await journey.payer.readPage(id)).toMatch(page);
      const events = await journey.eventsOf(id);
      expect(events.filter((status) => status === 'FAILED')).toHaveLength(
        /^FAILED/.test(ending) ? 1 : 0,
      );
      if (ending.startsWith('COMPLETED'))
        expect(events.slice(0, 2)).toEqual(['PENDING', 'COMPLETED']);
    },
  );
});

// One of each kind: version, client authentication, request and return; each over the whole product.
describe('banks of other kinds', () => {
  const kinds = [
    'larkrise-sandbox',
    'tidewater-sandbox',
    'emberly-sandbox',
    'greyfriars-sandbox',
  ] as const;
  const outcomes: readonly (readonly [login: string, ending: string])[] = [
    ['approve', 'COMPLETED ACSC'],
    ['lost-answer', 'COMPLETED ACSC'],
    ['insufficient-funds', 'FAILED( RJCT)?'],
    ['decline', 'PAYMENT_NOT_INITIATED'],
  ];
  const all = kinds.flatMap((bank) => outcomes.map((one) => [bank, ...one] as const));
  // Kinds differ in what the payer comes back with; what follows is the same. Tidewater is below.
  const some = all.filter(
    ([bank, login]) =>
      (bank === kinds[0] && login === 'lost-answer') || (bank === kinds[2] && login === 'approve'),
  );
  test.concurrent.each(isLongRun ? all : some)(
    '%s: %s ends in %s',
    { timeout: 120_000 },
    async (bank, login, ending) => {
      const id = await journey.create();
      const back = await journey.payer.pay(id, login, bank);
      expect(back?.status).toBe(303);
      await journey.becomes(id, ending);
    },
  );

  test('a bank that is asked first says no before anything is sent to it', async () => {
    const refused = await journey.create();
    await journey.payer.pay(refused, 'insufficient-funds', 'tidewater-sandbox');
    await journey.becomes(refused, 'FAILED RJCT');
    expect(await journey.payer.readPage(refused)).toMatch(/not enough money in the account/i);
    const paid = await journey.create();
    await journey.payer.pay(paid, 'approve', 'tidewater-sandbox');
    await journey.becomes(paid, 'COMPLETED ACSC');
    expect(await journey.historyOf(paid)).toContain('fundsConfirmed');
  });
});

describe('late outcomes', () => {
  const late = [
    ['settled-late', 'COMPLETED ACSP', 'COMPLETED ACSC', /payment complete/i],
    ['rejected-late', 'COMPLETED ACSP', 'FAILED RJCT', /sent back|returns/i],
    ['rejected-settled', 'COMPLETED ACSC', 'FAILED RJCT', /sent back|returns/i],
    ['stuck', 'PENDING PDNG', 'FAILED RJCT', /no money/i],
    ['credited', 'COMPLETED AC[SC]C', 'COMPLETED ACCC', /payment complete/i],
  ] as const;
  const shown = late.filter(([login]) => isShown(login));
  test.each(shown)('%s: %s, later %s', { timeout: 120_000 }, async (login, first, then, page) => {
    const id = await journey.create();
    await journey.payer.pay(id, login);
    const found = await journey.becomes(id, first);
    const before = await journey.eventsOf(id);
    await journey.advance(11 * minute);
    await journey.becomes(id, then);
    expect(await journey.payer.readPage(id)).toMatch(page);
    const added = found === then ? [] : [then.split(' ')[0]];
    expect(await journey.eventsOf(id)).toEqual([...before, ...added]);
  });

  test('a reversed payment can be paid again once', async () => {
    const id = await journey.create();
    await journey.payer.pay(id, 'rejected-late');
    await journey.becomes(id, 'COMPLETED ACSP');
    await journey.advance(3 * minute);
    await journey.becomes(id, 'FAILED RJCT');
    expect(await journey.payer.readPage(id)).toMatch(/sent back|returns/i);
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED ACSC');
    expect((await journey.payer.start(id)).startsWith('/pay?')).toBe(true);
  });
});

test('a payment blocked by the bank cannot be paid again', {
  timeout: 60_000,
}, async () => {
  const id = await journey.create();
  await journey.payer.pay(id, 'blocked');
  await journey.becomes(id, 'FAILED BLCK');
  expect(await journey.payer.readPage(id)).toMatch(/has left your account|may have left/i);
  expect(await journey.payer.start(id)).toMatch(/^\/pay\?/);
  expect(await journey.attemptsOf(id)).toHaveLength(1);
});

test('the books of both sides agree and every invariant holds', () =>
  journey.allAgree({ isQuiet: true, mayStayPending: true }));

test('every message to the banks is one that the standard describes', () => {
  const { faults, operations } = messages.stop();
  expect(faults).toEqual([]);
  expect(operations).toContain('4.0.1 GET /domestic-payments/{DomesticPaymentId}');
});
