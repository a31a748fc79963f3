import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mailReceipt } from '../../../contract/dashboard/index.ts';
import {
  pruneOldReceipts,
  sendReceipts,
} from '../../../service/src/modules/checkout/receipts/send-receipts.ts';
import { setMerchant } from '../../../service/src/modules/merchants/index.ts';
import { openSmtp } from '../../../service/src/rails/smtp.ts';
import { signIn } from '../../harness/dashboard/sign-in.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { openMailServer } from '../../harness/open-mail-server.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let journey: Journey;
/** Paid, and no receipt is asked for. */
let shared: string;
/** One receipt of three was asked for. */
let mailed: string;
/** All three were. */
let asked: string;
let id: string;

beforeAll(async () => {
  journey = await openJourney();
  shared = await pay();
});
afterAll(() => journey.close());

beforeEach(() => {
  id = shared;
});

const pay = async (): Promise<string> => {
  const made = await journey.create({
    redirectUrl: 'https://shop.example/thanks',
    notes: 'Table 12',
    lineItems: [{ name: 'Tea & <cake>', quantity: 2, amount: 12.5 }],
    payerNote: 'See you soon.',
  });
  await journey.payer.pay(made);
  await journey.becomes(made, 'COMPLETED ACSC');
  return made;
};

const pageOf = (more = '&stay=1') => journey.payer.visit(`/pay?paymentRequestId=${id}${more}`);

const fieldsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

const requestReceipt = async (email: string, more: Record<string, string> = {}) => {
  const { text } = await pageOf();
  const form = /<form class="email-receipt"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
  return journey.payer.visit('/pay/receipt', { ...fieldsOf(form), email, ...more });
};

const listed = async () => {
  const { body } = await journey.sandbox.request('GET', '/api/payments/receipt-mails');
  return (body as readonly { paymentRequestId: string }[]).filter(
    ({ paymentRequestId }) => paymentRequestId === id,
  ) as readonly Record<string, string | null>[];
};

const savedRows = () =>
  journey.sandbox.tools.database.system<{ id: string }, { all: string }>(
    {
      name: 'receipt_rows',
      text: 'select r::text as all from receipt_mail r where payment_request_id = $1::uuid',
      valueNames: ['id'],
    },
    { id },
  );

test('a requested receipt is queued without a mail server and shown to the merchant', async () => {
  id = await pay();
  mailed = id;
  expect((await pageOf('')).text).toContain('stay=1#email');
  const requested = await requestReceipt('  Ana@Example.COM ', { locale: 'cy' });
  expect(requested).toMatchObject({
    status: 303,
    location: expect.stringContaining('receipt=asked'),
  });
  expect((await journey.payer.visit(requested.location)).text).toContain(
    'Modd prawf: ni anfonwyd e-bost',
  );
  const [mail] = await listed();
  expect(mail).toMatchObject({ to: 'Ana@Example.COM', sentAt: null, lastError: null });
  expect(mail?.subject).toBe('Derbynneb: £12.50 i Corner Coffee');
  expect(mail?.text).toContain('Nodyn: Table 12');
  expect(mail?.text).toContain('Eitemau\n2 × Tea & <cake>: £12.50\n');
  expect(mail?.html).toContain('See you soon.');
  expect((await pageOf()).text).toContain('2 × <bdi>Tea &amp; &lt;cake&gt;</bdi></dt><dd>£12.50');
  expect(mail?.html).toContain('<html lang="cy" dir="ltr">');
  expect((await savedRows()).map((row) => row.all).join()).not.toMatch(/example\.com/i);
  expect(await sendReceipts({ ...journey.sandbox.tools, mailRail: null })).toBe(0);
});

test('a member mails the receipt of what was paid, three times with those of the payer', async () => {
  const { sandbox } = journey;
  const { merchantId } = sandbox.merchant;
  const { headers } = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
  const mail = async (paymentRequestId: string, body: object, environment = 'sandbox') => {
    const path = mailReceipt.path.replace(':paymentRequestId', paymentRequestId);
    const below = `/dashboard/api/merchants/${merchantId}/${environment}`;
    return sandbox.request('POST', `${below}${path}`, { body, secret: null, headers });
  };
  id = await pay();
  await requestReceipt('payer@example.com');
  expect((await mail(id, { email: ' Ana@example.com ' })).body).toEqual({
    ...{ mailedTo: 'Ana@example.com', isCaught: true },
  });
  const [newest] = await listed();
  expect(newest).toMatchObject({ to: 'Ana@example.com' });
  expect(newest?.subject).toBe('Receipt: £12.50 to Corner Coffee');
  expect((await mail(id, { email: 'no address' })).body.errors[0].field).toBe('email');
  const other = { email: 'ana@example.com', paymentIdempotencyId: 'ATOANOTHING' };
  expect((await mail(id, other)).body.name).toBe('INVALID_STATE');
  expect((await mail(id, { email: 'ana@example.com' })).status).toBe(200);
  const { status, body } = await mail(id, { email: 'ana@example.com' });
  expect([status, body.message]).toEqual([409, 'This receipt was mailed 3 times already.']);
  const open = await journey.create();
  expect((await mail(open, { email: 'ana@example.com' })).body.name).toBe('INVALID_STATE');
  const inProduction = await mail(id, { email: 'ana@example.com' }, 'production');
  expect(inProduction.body.name).toBe('NOT_ENABLED');
});

test('a member mails the receipt of a refund that is on its way, with its file', async () => {
  const { sandbox } = journey;
  const { merchantId } = sandbox.merchant;
  const { headers } = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
  const below = `/dashboard/api/merchants/${merchantId}/sandbox`;
  const mail = (paymentRequestId: string, refundId: string) =>
    sandbox.request(
      'POST',
      `${below}${mailReceipt.path.replace(':paymentRequestId', paymentRequestId)}`,
      { body: { email: 'ana@example.com', refundId }, secret: null, headers },
    );
  id = await pay();
  const asked = { paymentRequestId: id, amount: 4.2 };
  const { refundId } = (await sandbox.request('POST', '/api/refund', { body: asked })).body;
  const status = async () => (await sandbox.request('GET', `/api/refund/${id}`)).body[0].status;
  await waitUntil(async () => ['PENDING', 'COMPLETED'].includes(await status()));
  expect((await mail(id, refundId)).body).toEqual({ mailedTo: 'ana@example.com', isCaught: true });
  const [sent] = await listed();
  expect(sent).toMatchObject({
    to: 'ana@example.com',
    subject: 'Refund: £4.20 from Corner Coffee',
  });
  expect(sent?.text).toContain('Corner Coffee refunds you £4.20.\n\nOrder: o\n');
  expect(sent?.text).toContain('You had paid: £12.50\n');
  expect(sent?.html).toContain('Refund from Corner Coffee');
  const file = /http\S+receipt\.pdf\S+/.exec(sent?.text ?? '')?.[0] ?? '';
  const drawn = await fetch(new URL(new URL(file).pathname + new URL(file).search, sandbox.url));
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const other = new URL(file);
  other.searchParams.set('refund', sandbox.tools.ids.uuid());
  expect((await journey.payer.visit(other.pathname + other.search)).status).toBe(404);
  // Not of another payment, and three times at most, whatever the payment's own receipt took.
  expect((await mail(shared, refundId)).body.name).toBe('INVALID_STATE');
  await mail(id, refundId);
  await mail(id, refundId);
  expect((await mail(id, refundId)).body.message).toBe('This receipt was mailed 3 times already.');
  expect((await requestReceipt('payer@example.com')).location).toContain('receipt=asked');
});

test('page and mail say where the merchant helps, once it has said so', async () => {
  id = mailed;
  const { tools, merchant } = journey.sandbox;
  await setMerchant(tools, merchant.merchantId, { supportEmail: 'help@corner.example' });
  expect((await pageOf()).text).toContain('<a href="mailto:help@corner.example">');
  await requestReceipt('ana@example.com');
  const [mail] = await listed();
  expect(mail?.text).toContain('Questions? Contact Corner Coffee\nhelp@corner.example\n');
  await setMerchant(tools, merchant.merchantId, { supportEmail: null });
  expect((await pageOf()).text).not.toContain('mailto:');
});

test('a mail server gets it once after refusals, and the address is deleted', async () => {
  id = await pay();
  await requestReceipt('ana@example.com');
  const { tools } = journey.sandbox;
  const [refusing, taking] = await Promise.all([openMailServer(true), openMailServer()]);
  const send = async (url: string) => {
    const mailRail = openSmtp({ url, from: 'receipts@pay.example', withoutTls: true });
    await sendReceipts({ ...tools, mailRail });
    await mailRail.close();
  };
  await send(refusing.url);
  const [refused] = await listed();
  expect(refused).toMatchObject({ to: 'ana@example.com', sentAt: null });
  expect(refused?.lastError).toContain('no such box …');
  await tools.database.system<{ id: string }, never>(
    {
      name: 'receipt_due',
      text: 'update receipt_mail set due_at = now() where payment_request_id = $1::uuid',
      valueNames: ['id'],
    },
    { id },
  );
  await Promise.all([send(taking.url), send(taking.url)]);
  const own = taking.mails.filter((mail) => mail.includes('To: ana@example.com'));
  expect(own).toHaveLength(1);
  expect(own[0]).toMatch(/text\/plain[\s\S]*text\/html/);
  expect(await listed()).toMatchObject([{ to: null, sentAt: expect.any(String), lastError: null }]);
  refusing.close();
  taking.close();
});

test('of a business that nobody has proven, its own people get a receipt, and others do not', async () => {
  const { tools, merchant } = journey.sandbox;
  const { personId, email } = await signIn(tools, { merchantId: merchant.merchantId });
  const prove = async (isProven: boolean) => {
    await tools.database.system<{ id: string; isProven: boolean }, never>(
      {
        name: 'prove_person',
        // And those of other tests.
        text: 'update person set email_verified = $2::boolean and person_id = $1::uuid',
        valueNames: ['id', 'isProven'],
      },
      { id: personId, isProven },
    );
  };
  const server = await openMailServer();
  id = await pay();
  const send = async (to: string) => {
    const { location } = await requestReceipt(to);
    const from = 'receipts@pay.example';
    const mailRail = openSmtp({ url: server.url, from, withoutTls: true });
    await sendReceipts({ ...tools, mailRail });
    await mailRail.close();
    const said = (await journey.payer.visit(location)).text;
    const [mail] = await listed();
    expect(mail?.to === null).toBe(server.mails.some((each) => each.includes(`To: ${to}`)));
    return { wasSent: mail?.sentAt !== null, saysSo: !location.includes('caught'), said };
  };
  await prove(false);
  const caught = await send('stranger@example.com');
  expect(caught).toMatchObject({ wasSent: false, saysSo: false });
  expect(caught.said).toContain('no email was sent');
  expect(await send(email)).toMatchObject({ wasSent: true, saysSo: true });
  await prove(true);
  expect(await send('other@example.com')).toMatchObject({ wasSent: true, saysSo: true });
  server.close();
});

test.each(['a@b.com\r\nBcc: x@y.com', '"><b>@example.com'])(
  '%j is rejected and shown again',
  async (email) => {
    const { status, text } = await requestReceipt(email);
    expect(status).toBe(422);
    expect(text).toContain('Enter an email address');
    expect(text).not.toContain('"><b>@');
    expect(await listed()).toEqual([]);
  },
);

test('ten requests at once send three mails, and then the page offers to print', async () => {
  id = await pay();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => requestReceipt(`ana${at}@example.com`)),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(3);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(7);
  expect(refused[0]?.text).toContain('cannot be emailed again');
  expect(await listed()).toHaveLength(3);
  asked = id;
});

test('sends nothing for a forged form, an unpaid payment or another payment', async () => {
  await requestReceipt('ana@example.com', { formToken: 'forged' });
  await requestReceipt('ana@example.com', { payment: 'another' });
  expect(await listed()).toHaveLength(0);
  const { text } = await pageOf();
  const [form = ''] = /<form class="email-receipt"[\s\S]*?<\/form>/.exec(text) ?? [];
  id = await journey.create();
  const fields = { ...fieldsOf(form), paymentRequestId: id, email: 'ana@example.com' };
  expect((await journey.payer.visit('/pay/receipt', fields)).status).toBe(303);
  expect(await listed()).toEqual([]);
});

test('old receipts are deleted with their count', async () => {
  id = asked;
  await journey.sandbox.tools.database.system<{ id: string }, never>(
    {
      name: 'receipt_old',
      text: `update receipt_mail set created_at = now() - interval '31 days'
             where payment_request_id = $1::uuid`,
      valueNames: ['id'],
    },
    { id },
  );
  expect(await pruneOldReceipts({ ...journey.sandbox.tools, mailRail: null })).toBe(3);
  expect(await listed()).toEqual([]);
});
