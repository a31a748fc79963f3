import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CardPayments, cardPayments } from '../../harness/card-payments.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;
let cards: CardPayments;

beforeAll(async () => {
  sandbox = await openSandbox();
  cards = cardPayments(sandbox);
});
afterAll(() => sandbox.close());

/** A browser of its own, which keeps the cookies that it is given. */
const openBrowser = () => {
  const cookies = new Map<string, string>();
  const visit = async (path: string, form?: Readonly<Record<string, string>>) => {
    const reply = await fetch(new URL(path, sandbox.url), {
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return { text: await reply.text(), location: reply.headers.get('location') ?? '' };
  };
  return {
    /** Presses the first button of the payment's page that leads on; answers where to. */
    pressOn: async (id: string, choice = ''): Promise<string> => {
      const { text } = await visit(`/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT${choice}`);
      const [form = ''] = /<form[^>]*action="\/pay\/start"[\s\S]*?<\/form>/.exec(text) ?? [];
      const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"(?! disabled)/g)];
      const filled = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
      return (await visit('/pay/start', filled)).location;
    },
  };
};

test('a page at the processor is resumed, though it would be requested otherwise by now', async () => {
  // Its description and addresses are those of another time.
  const { id, url } = await cards.openPage({ paymentMethod: ['CARD'] });
  for (const { pressOn } of [openBrowser(), openBrowser()]) expect(await pressOn(id)).toBe(url);
});

test('a payer who left the card page of a share is led back to it, another to one of their own', async () => {
  const order = { customerId: 'c', orderId: 'shared', amount: 30, splitBill: true };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body: order });
  const id = made.body.paymentRequestId;
  const share = (pounds: number) => `&share=custom&shareAmount=${pounds}&way=card`;
  const [first, second] = [openBrowser(), openBrowser()];
  const page = await first.pressOn(id, share(10));
  expect(page).toContain(sandbox.simulator.url);
  // Of another amount than the page was requested with: the key would take no other request.
  for (const choice of ['', share(10), share(12)])
    expect(await first.pressOn(id, choice)).toBe(page);
  const other = await second.pressOn(id, share(12));
  expect(other).toContain(sandbox.simulator.url);
  expect(other).not.toBe(page);
  expect(await first.pressOn(id)).toBe(page);
});
