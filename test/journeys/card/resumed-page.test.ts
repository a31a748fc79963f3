import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CardPayments, cardPayments } from '../../harness/card-payments.ts';
import { openPayer } from '../../harness/open-payer.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;
let cards: CardPayments;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
});
afterAll(() => sandbox.close());

/** Presses the first button of the payment's page that leads on. */
const pressOn = async (id: string) => {
  const payer = openPayer(sandbox.url);
  const { text } = await payer.visit(`/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT`);
  const [form = ''] = /<form[^>]*action="\/pay\/start"[\s\S]*?<\/form>/.exec(text) ?? [];
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)];
  return payer.visit('/pay/start', Object.fromEntries(fields.map(([, name, of]) => [name, of])));
};

test('a page at the processor is resumed, though it would be requested otherwise by now', async () => {
  // Its description and addresses are those of another time.
  const { id, url } = await cards.openPage({ paymentMethod: ['CARD'] });
  expect(await pressOn(id)).toMatchObject({ status: 303, location: url });
  expect(await pressOn(id)).toMatchObject({ status: 303, location: url });
});
