import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

/** By a browser that never opened the page before. */
const readAsStranger = async (address: string): Promise<string> => (await fetch(address)).text();

const linkIn = (text: string): string => /https?:\S+\/p\/\S+/.exec(text)?.[0] ?? '';

test('the short link of a mail shows the receipt, that of the payment alone shows no detail', async () => {
  const id = await journey.create({ notes: 'Table 12' });
  await journey.payer.pay(id);
  await journey.becomes(id, 'COMPLETED ACSC');
  const { text } = await journey.payer.visit(`/pay?paymentRequestId=${id}&stay=1`);
  const form = /<form class="email-receipt"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const typed = { ...Object.fromEntries(fields), locale: 'cy', email: 'ana@example.com' };
  expect((await journey.payer.visit('/pay/receipt', typed)).status).toBe(303);
  const { body } = await journey.sandbox.request('GET', '/api/payments/receipt-mails');
  const mail: string = body[0].text;
  expect(mail).toMatch(/\nTaliadau gan Florin\n127\.0\.0\.1:\d+\n$/);
  const link = linkIn(mail);
  expect(link.length).toBeLessThan(110);
  expect(await readAsStranger(link)).toMatch(/id="receipt">Derbynneb gan [\s\S]*Table 12/);
  const alone = await readAsStranger(link.replace(/\?.*/, ''));
  expect(alone).toContain('This is already paid');
  expect(alone).not.toMatch(/Table 12|Mock/);
});
