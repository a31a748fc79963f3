import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCode } from '../../../service/src/modules/checkout/images/test/read-code.ts';
import { setMerchant } from '../../../service/src/modules/merchants/index.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const addresses = [
  'external-display_payment-qr-codes/:id.svg',
  'external-display-png_payment-qr-codes/:id.png',
  'receipt-payment-qr-codes/:id.svg',
  'receipt-payment-qr-codes/:id.png',
];
const [display = '', , receipt = ''] = addresses;

const fetchImage = (address: string, id: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${journey.sandbox.url}/${address.replace(':id', id)}`, init);

const wordsOf = async (address: string, id: string): Promise<string> => {
  const answer = await fetchImage(address, id);
  expect(answer.status).toBe(200);
  return [...(await answer.text()).matchAll(/<text[^>]*>([^<]*)/g)]
    .map(([, said]) => said)
    .join(' ');
};

const drive = (id: string, body: object) =>
  journey.sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body });

/** The drawing changes with the payment, and a look in between costs nothing. */
const changes = async (id: string, change: () => Promise<unknown>): Promise<void> => {
  const tags = await Promise.all(
    addresses.map(async (address) => (await fetchImage(address, id)).headers.get('etag') ?? ''),
  );
  const again = () =>
    Promise.all(
      addresses.map(async (address, at) => {
        const answer = await fetchImage(address, id, {
          headers: { 'if-none-match': tags[at] ?? '' },
        });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
  expect(await again()).toEqual([304, 304, 304, 304]);
  await change();
  expect(await again()).toEqual([200, 200, 200, 200]);
};

test('a picture in SVG names its charset', async () => {
  const { headers } = await fetchImage(display, await journey.create());
  expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
});

test('an image shows a pending payment, then the paid amount with its tip', async () => {
  await journey.sandbox.request('POST', '/api/sandbox/tips', {
    body: { enabled: true, tipType: 'PERCENTAGE', options: [5, 10, 15], allowCustom: true },
  });
  const id = await journey.create({ amount: 12.5 });
  expect(await wordsOf(display, id)).toMatch(/£12\.50 Scan to pay/);
  await changes(id, () => drive(id, { outcome: 'PENDING' }));
  for (const address of [display, receipt]) {
    const words = await wordsOf(address, id);
    expect(words).toContain('Being paid Please wait, and do not pay again');
    expect(words).not.toContain('Scan');
  }
  const tipped = await journey.create({ amount: 12.5 });
  await changes(tipped, () => drive(tipped, { tipAmount: 1.5 }));
  for (const address of [display, receipt])
    expect(await wordsOf(address, tipped)).toMatch(/£14\.00 Tip £1\.50 Paid/);
});

const scanned = async (address: string): Promise<string | undefined> => {
  const answer = await fetch(address);
  const type = answer.headers.get('content-type') ?? '';
  return readCode(type, Buffer.from(await answer.arrayBuffer()));
};

test('every QR code leads to the payment', async () => {
  for (const template of ['EXTERNAL_DISPLAY', 'EXTERNAL_DISPLAY_PNG', 'RECEIPT', 'RECEIPT_PNG']) {
    const body = { customerId: 'c', orderId: 'o', amount: 12.5, template };
    const created = await journey.sandbox.request('POST', '/api/payments/process-payment', {
      body,
    });
    const { qrCodeUrl, qrCodeUrlPng, templateUrl, paymentUrl } = created.body;
    for (const address of [qrCodeUrl, qrCodeUrlPng, templateUrl])
      expect(await scanned(address), address).toBe(paymentUrl);
  }
});

test('many screens that ask for one image have it drawn once', async () => {
  const id = await journey.create();
  const drawn = async (): Promise<number> => {
    const text = await (await fetch(`${journey.sandbox.url}/metrics`)).text();
    return Number(/^florin_images_drawn_total (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await drawn();
  const screens = await Promise.all(
    Array.from({ length: 20 }, async () =>
      (await fetchImage(addresses[1] ?? '', id)).arrayBuffer(),
    ),
  );
  expect(new Set(screens.map(({ byteLength }) => byteLength)).size).toBe(1);
  expect((await drawn()) - before).toBe(1);
});

test('an image of a split bill shows what is left', async () => {
  const id = await journey.create({ amount: 60, splitBill: true });
  await changes(id, () => drive(id, { amount: 20 }));
  for (const address of [display, receipt])
    expect(await wordsOf(address, id)).toMatch(/£40\.00 left of £60\.00 Scan to pay/);
});

test('an image expires with time, also for conditional requests', async () => {
  const id = await journey.create({ expiresIn: 60_000 });
  await changes(id, () => journey.advance(60_000));
  expect(await wordsOf(display, id)).toContain('Expired Ask for a new code to pay');
  const under = await journey.create({ expiresIn: 60_000 });
  await drive(under, { outcome: 'PENDING' });
  await journey.advance(60_000);
  expect(await wordsOf(display, under)).toContain('Being paid');
});

test('HEAD works for links and images and starts nothing', async () => {
  const id = await journey.create();
  const { url } = journey.sandbox;
  for (const address of [
    `${url}/pay?paymentRequestId=${id}&source=EXTERNAL_MERCHANT`,
    ...addresses.map((each) => `${url}/${each.replace(':id', id)}`),
  ]) {
    const answer = await fetch(address, { method: 'HEAD' });
    expect(answer.status, address).toBe(200);
    expect(Number(answer.headers.get('content-length')), address).toBeGreaterThan(500);
    expect(await answer.text()).toBe('');
  }
  expect((await fetch(`${url}/bank-return?code=1`, { method: 'HEAD' })).status).toBe(200);
  expect(await journey.attemptsOf(id)).toEqual([]);
});

test('only a browser whose page shows the receipt gets it as a PDF', async () => {
  const id = await journey.create();
  const { body: paid } = await drive(id, {});
  const [{ paymentIdempotencyId }] = paid.transactionDetails;
  const { text } = await journey.payer.visit(
    `/pay?paymentRequestId=${id}&payment=${paymentIdempotencyId}`,
  );
  const [, link = ''] = /href="(\/pay\/receipt\.pdf[^"]*)" download/.exec(text) ?? [];
  const { url: origin } = journey.sandbox;
  const file = await fetch(`${origin}${link.replaceAll('&amp;', '&')}`);
  expect([file.status, Object.fromEntries(file.headers)]).toEqual([
    200,
    expect.objectContaining({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="receipt-${id.slice(0, 13)}.pdf"`,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }),
  ]);
  expect(Buffer.from(await file.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-1\..*%%EOF\s*$/s);
  const stranger = await fetch(`${origin}/pay/receipt.pdf?paymentRequestId=${id}`);
  const unpaid = await fetch(
    `${origin}/pay/receipt.pdf?paymentRequestId=${await journey.create({})}`,
  );
  for (const refused of [stranger, unpaid])
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
});

const drawn =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 44 44"><path d="M0 0h44v44z"/></svg>';
const png = Buffer.from('89504e470d0a1a0a00', 'hex');

test.each([
  ['svg', 'image/svg+xml', Buffer.from(drawn)],
  ['png', 'image/png', png],
])('a logo in %s is an image of our own, and nothing in it can run', async (end, type, picture) => {
  const { tools, merchant, url: origin } = journey.sandbox;
  const logo = `data:${type};base64,${picture.toString('base64')}`;
  const id = await journey.create();
  const pageOf = () => journey.payer.visit(`/pay?paymentRequestId=${id}`);
  const [shape, room] = end === 'svg' ? ['-square', 'avatar square'] : ['', 'avatar'];
  const hostile = Buffer.from(drawn.replace('<path', '<script>alert(1)</script><path'));
  const refused = { logo: `data:image/svg+xml;base64,${hostile.toString('base64')}` };
  await expect(setMerchant(tools, merchant.merchantId, refused)).rejects.toMatchObject({
    errors: [{ field: 'logo', message: expect.stringContaining('this holds <script>') }],
  });
  const { logoUrl } = await setMerchant(tools, merchant.merchantId, { logo });
  expect(logoUrl).toMatch(
    new RegExp(`^/merchant-logos/${merchant.merchantId}/[0-9a-f]{32}${shape}.${end}$`),
  );
  const page = (await pageOf()).text;
  expect(page).toContain(`<span class="${room}"><img src="${logoUrl}" alt="">`);
  expect(page).toContain(`<link rel="icon" href="${logoUrl}">`);
  const sent = await fetch(`${origin}${logoUrl}`);
  expect(sent.status).toBe(200);
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(picture);
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    'content-type': type,
    'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const inMail = await fetch(`${origin}${logoUrl}/mail.png`);
  expect([inMail.status, inMail.headers.get('content-type')]).toEqual([200, 'image/png']);
  const mailed = Buffer.from(await inMail.arrayBuffer());
  expect([mailed.readUInt32BE(16), mailed.readUInt32BE(20)]).toEqual([384, 132]);
  await setMerchant(tools, merchant.merchantId, { logo: null });
  for (const gone of [
    logoUrl,
    logoUrl?.replace(merchant.merchantId, tools.ids.uuid()),
    '/merchant-logos/x/y',
  ])
    expect((await fetch(`${origin}${gone}`)).status).toBe(404);
  expect((await pageOf()).text).not.toContain('class="avatar');
});

test('the words of a logo stand in the mail too', async () => {
  const { tools, merchant, url } = journey.sandbox;
  const mailed = async (words: string): Promise<Buffer> => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 60">' +
      `<text x="0" y="42" font-family="Georgia, serif" font-size="34">${words}</text></svg>`;
    const logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    const { logoUrl } = await setMerchant(tools, merchant.merchantId, { logo });
    const answer = await fetch(`${url}${logoUrl}/mail.png`);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const [one, other] = [await mailed('Marigold'), await mailed('Clover')];
  await setMerchant(tools, merchant.merchantId, { logo: null });
  expect(one.equals(other)).toBe(false);
  expect([one.readUInt32BE(16), one.readUInt32BE(20)]).toEqual([384, 132]);
});

test('a logo with words that has no size harms no mail', async () => {
  const { tools, merchant, url } = journey.sandbox;
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"><text>A</text></svg>';
  const logo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const { logoUrl } = await setMerchant(tools, merchant.merchantId, { logo });
  const answer = await fetch(`${url}${logoUrl}/mail.png`);
  await setMerchant(tools, merchant.merchantId, { logo: null });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
});
