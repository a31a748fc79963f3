import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordCardOutcome } from '../../../service/src/modules/payments/index.ts';
import { charged, intent } from '../../../service/src/rails/stripe/fixtures/bodies.ts';
import { classifyPayment } from '../../../service/src/rails/stripe/outcomes/classify-payment.ts';
import { type CardPayments, cardPayments } from '../../harness/card-payments.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;
let cards: CardPayments;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
});
afterAll(() => sandbox.close());

/** The simulated page refuses such names; a real one hands them over. */
const payAs = async (name: string): Promise<string> => {
  const { id, attemptId } = await cards.openPage();
  const paid = intent('succeeded', {
    metadata: { attemptId },
    amount: 500,
    amount_received: 500,
    latest_charge: charged({}, { billing_details: { name } }),
  });
  const state = { v: 1, kind: 'SESSION', attemptId, amount: 500, sessionId: 'cs_1' };
  type Read = Parameters<typeof classifyPayment>;
  const outcome = classifyPayment(state as unknown as Read[0], paid as unknown as Read[1]);
  const { tools, tenant } = sandbox;
  await recordCardOutcome(tools, { tenant, paymentRequestId: id }, attemptId, outcome);
  return id;
};

const search = async (text: string) =>
  (await sandbox.request('POST', '/api/payments/transactions', { body: { search: text } })).body;

/** Of letters that no compression makes short: an index stores them as they are. */
const endless = Array.from({ length: 2_900 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)),
).join('');

test.each([
  ['an endless name', endless, endless.slice(0, 100), endless.slice(0, 60)],
  ['endless compatibility letters', 'ﷺ'.repeat(900), 'ﷺ'.repeat(100), 'صلى'],
  ['NUL in it', 'Ada\u0000 Payer', 'Ada Payer', 'payer'],
  ['half a character', 'Grace \ud83d', 'Grace', 'grace'],
  ['a card number', 'Mary 5555 5555 5555 4444', 'Mary ****4444', 'mary'],
])('a payment by card is recorded with %s', async (_, typed, shown, word) => {
  const id = await payAs(typed);
  const body = await cards.status(id);
  expect(body).toMatchObject({ status: 'COMPLETED', paidAmount: 5 });
  expect(body.transactionDetails).toMatchObject([{ consumerName: shown }]);
  expect((await search(word)).data).toMatchObject([{ paymentRequestId: id, consumerName: shown }]);
});

test('a card number that was typed as a name is found nowhere', async () => {
  expect((await search('5555')).data).toEqual([]);
});
