import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CardPayments, cardPayments } from '../../../../../test/harness/card-payments.ts';
import { openSandbox, type Sandbox } from '../../../../../test/harness/open-sandbox.ts';

const day = 24 * 3_600_000;

let sandbox: Sandbox;
let cards: CardPayments;
let card: Awaited<ReturnType<CardPayments['saveCard']>>;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
  card = await cards.saveCard('4000000000000127');
});
afterAll(() => sandbox.close());

const authorised = async (): Promise<string> => {
  const id = await cards.charged(card, { captureType: 'MANUAL_CAPTURE' });
  await cards.reaches(id, 'AUTHORIZED');
  return id;
};

/** `REASON ACCOUNT pence`, as they were booked. */
const entriesOf = async (id: string): Promise<readonly string[]> => {
  const rows = await cards.rows(
    `select reason, account, amount_pence::int as pence from ledger_entry
     where resource_id = $1 order by entry_id`,
    [id],
  );
  return rows.map(({ reason, account, pence }) => `${reason} ${account} ${pence}`);
};

const held = [
  'PAYMENT_AUTHORISED HELD_AT_PROCESSOR 1250',
  'PAYMENT_AUTHORISED MERCHANT_AUTHORISED -1250',
];

test('an authorisation is held until it is captured', async () => {
  const id = await authorised();
  expect(await entriesOf(id)).toEqual(held);
  expect((await cards.capture(id)).status).toBe(200);
  expect(await entriesOf(id)).toEqual([
    ...held,
    'AUTHORISATION_CAPTURED MERCHANT_AUTHORISED 1250',
    'AUTHORISATION_CAPTURED HELD_AT_PROCESSOR -1250',
    'PAYMENT_COMPLETED SETTLED_BY_PROCESSOR 1250',
    'PAYMENT_COMPLETED MERCHANT_PAID_DIRECTLY -1250',
  ]);
});

test('a cancelled authorisation is released', async () => {
  const id = await authorised();
  expect((await cards.cancel(id)).status).toBe(200);
  expect(await entriesOf(id)).toEqual([
    ...held,
    'AUTHORISATION_RELEASED MERCHANT_AUTHORISED 1250',
    'AUTHORISATION_RELEASED HELD_AT_PROCESSOR -1250',
  ]);
});

test('an authorisation that runs out is booked as expired', async () => {
  const id = await authorised();
  await cards.advance(8 * day);
  await cards.reaches(id, 'CANCELLED');
  expect(await entriesOf(id)).toEqual([
    ...held,
    'AUTHORISATION_EXPIRED MERCHANT_AUTHORISED 1250',
    'AUTHORISATION_EXPIRED HELD_AT_PROCESSOR -1250',
  ]);
});

test('money that comes too late is booked, and its refund too', async () => {
  const page = await cards.openPage();
  // By no way of ours: as if the request had been ended by hand.
  await cards.rows(
    `update payment_request set status = 'CANCELLED' where payment_request_id = $1`,
    [page.id],
  );
  await sandbox.rails.payerRail?.payByCard(page.url, { cardNumber: '4242424242424242' });
  await cards.until(async () => (await entriesOf(page.id)).length === 4);
  expect(await entriesOf(page.id)).toEqual([
    'PAYMENT_LATE SETTLED_BY_PROCESSOR 500',
    'PAYMENT_LATE LATE_MONEY -500',
    'LATE_PAYMENT_REFUNDED LATE_MONEY 500',
    'LATE_PAYMENT_REFUNDED SETTLED_BY_PROCESSOR -500',
  ]);
});
