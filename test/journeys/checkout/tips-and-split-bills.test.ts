import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const setTips = async (more: object = {}) => {
  const body = { enabled: true, tipType: 'PERCENTAGE', options: [5, 10, 15], allowCustom: true };
  const set = await journey.sandbox.request('POST', '/api/sandbox/tips', {
    body: { ...body, ...more },
  });
  expect(set.status).toBe(200);
};

type Choice = Readonly<Record<string, string>>;

const bodyAt = async (path: string): Promise<string> => {
  const { text } = await journey.payer.visit(path);
  return text.slice(text.indexOf('<body'));
};

const pageAt = (id: string, query: Choice) =>
  bodyAt(`/pay?${new URLSearchParams({ paymentRequestId: id, ...query })}`);

const field = (page: string, name: string): string => {
  const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page)?.[0] ?? '';
  return /value="([^"]*)"/.exec(input)?.[1] ?? '';
};

const bank = 'mock-sandbox-v1';

/** From the amount step to the bank's address, with what each page carries on. */
const start = async (id: string, choice: Choice): Promise<string> => {
  const list = await pageAt(id, { chosen: '1', again: '1', ...choice });
  const total = field(list, 'total');
  const review = await pageAt(id, { ...choice, total, institutionId: bank });
  const form = {
    paymentRequestId: id,
    institutionId: bank,
    formToken: field(review, 'formToken'),
    ...choice,
    total,
  };
  return (await journey.payer.visit('/pay/start', form)).location;
};

const pay = async (id: string, choice: Choice): Promise<string> => {
  const back = await journey.payer.approve(await start(id, choice));
  return back ? (await journey.payer.comeBack(back)).location : '';
};

const statusOf = async (id: string) =>
  (await journey.sandbox.request('GET', `/api/payments/v1/payment-status/${id}`)).body;

test('a tip has its own line on every page, in the total and in the status', async () => {
  await setTips();
  const id = await journey.create({ amount: 40 });
  const step = await pageAt(id, {});
  expect(step).toContain('Would you like to add a tip?');
  expect(step.match(/<input[^>]*name="tip"[^>]*checked/g)).toHaveLength(1);
  expect(step).toContain('name="tip" value="none" checked');
  expect(step.indexOf('No tip')).toBeLessThan(step.indexOf('5%'));
  const list = await pageAt(id, { chosen: '1', tip: '1' });
  expect(list).toContain('Choose your bank');
  expect(list).toMatch(
    /<p class="amount">£44\.00<\/p>\s*<p class="below">including <bdi>£4\.00<\/bdi> /,
  );
  expect(list).toMatch(/<dt>Tip<\/dt><dd>£4\.00<\/dd>/);
  await pay(id, { tip: '1' });
  await journey.becomes(id, 'COMPLETED .*');
  expect(await statusOf(id)).toMatchObject({ paidAmount: 44, tipAmount: 4 });
  expect(await pageAt(id, {})).toMatch(/<dt>Tip<\/dt><dd>£4\.00<\/dd>/);
});

test('a typed tip is added to the total', async () => {
  await setTips();
  const id = await journey.create({ amount: 40 });
  const page = await pageAt(id, { chosen: '1', tip: 'custom', customTip: '2,50' });
  expect(page).toContain('<p class="amount">£42.50</p>');
});

test('a tip that is too high is rejected with a sentence, and the input stays', async () => {
  await setTips();
  const id = await journey.create({ amount: 40 });
  const page = await pageAt(id, { chosen: '1', tip: 'custom', customTip: '80.01' });
  expect(page).toContain('A tip can be at most');
  expect(field(page, 'customTip')).toBe('80.01');
});

test('without custom tips there is no field for one, and one is rejected', async () => {
  await setTips({ tipType: 'FIXED', options: [1, 2, 5], allowCustom: false });
  const id = await journey.create({ amount: 40 });
  expect(await pageAt(id, {})).not.toContain('customTip');
  const page = await pageAt(id, { chosen: '1', tip: 'custom', customTip: '3' });
  expect(page).toContain('Choose a tip, or no tip');
});

test('the sandbox driver accepts a tip only where a payer could give one', async () => {
  await setTips({ enabled: false });
  const tipped = (id: string) =>
    journey.sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, {
      body: { tipAmount: 2 },
    });
  const none = await tipped(await journey.create());
  expect(none.body).toMatchObject({ status: 400, errors: [{ field: 'tipAmount' }] });
  await setTips();
  expect((await tipped(await journey.create({ enableTips: false }))).status).toBe(400);
  expect((await tipped(await journey.create())).body).toMatchObject({ tipAmount: 2 });
});

test('shows no tip step where the merchant or the request has tips off', async () => {
  await setTips({ enabled: false });
  expect(await pageAt(await journey.create(), {})).toContain('Choose your bank');
  await setTips();
  const without = await journey.create({ enableTips: false });
  expect(await pageAt(without, {})).toContain('Choose your bank');
});

test('shows the tip step again after tips changed', async () => {
  await setTips();
  const id = await journey.create({ amount: 40 });
  await setTips({ options: [20, 25, 30] });
  const page = await pageAt(id, { tip: '1', total: '44.00', institutionId: bank });
  expect(page).toContain('The amount has changed');
});

test('three payers pay their shares on one link', async () => {
  await setTips({ enabled: false });
  const id = await journey.create({ amount: 60, splitBill: true });
  expect(await pageAt(id, {})).toContain('Choose your share');
  const third = { share: 'equal', paysFor: '1', people: '3' };
  const own = await pay(id, third);
  const receipt = await waitUntil(async () => {
    const page = await bodyAt(own);
    return page.includes('Payment complete') && page;
  });
  expect(receipt).toMatch(/£40\.00<\/bdi> of the bill is left/);
  const next = await pageAt(id, {});
  expect(next).toMatch(/data-live="left">£40\.00/);
  await pay(id, { share: 'custom', shareAmount: '25' });
  await pay(id, { share: 'rest' });
  await journey.becomes(id, 'COMPLETED .*');
  const status = await statusOf(id);
  const shares = status.transactionDetails.map(
    ({ paidAmount }: { paidAmount: number }) => paidAmount,
  );
  expect(shares.sort()).toEqual([15, 20, 25]);
  expect(await pageAt(id, {})).toContain('This bill is paid');
  await journey.allAgree();
});

test('a share that leaves too little is rejected with a sentence', async () => {
  await setTips({ enabled: false });
  const id = await journey.create({ amount: 60, splitBill: true });
  const page = await pageAt(id, { chosen: '1', share: 'custom', shareAmount: '59.50' });
  expect(page).toContain('This would leave less than');
});

test('of two payers of the rest the first to approve pays, and the other pays nothing', async () => {
  await setTips({ enabled: false });
  const id = await journey.create({ amount: 60, splitBill: true });
  await pay(id, { share: 'custom', shareAmount: '20' });
  const list = await pageAt(id, { chosen: '1', share: 'rest' });
  const formToken = field(
    await pageAt(id, { share: 'rest', total: '40.00', institutionId: bank }),
    'formToken',
  );
  expect(field(list, 'total')).toBe('40.00');
  const form = { paymentRequestId: id, institutionId: bank, formToken, share: 'rest' };
  const both = await Promise.all(
    [1, 2].map(() => journey.payer.visit('/pay/start', { ...form, total: '40.00' })),
  );
  expect(await pageAt(id, { share: 'rest', total: '60.00' })).toContain(
    'The amount left to pay is now',
  );
  const backs = await Promise.all(both.map(({ location }) => journey.payer.approve(location)));
  const after = await Promise.all(backs.map((back) => journey.payer.comeBack(back ?? {})));
  await journey.becomes(id, 'COMPLETED .*');
  expect((await statusOf(id)).paidAmount).toBe(60);
  const pages = await Promise.all(after.map(({ location }) => bodyAt(location)));
  expect(pages.filter((page) => page.includes('This bill is paid'))).toHaveLength(1);
});

test('a tip that an app sends with a share is part of that share', async () => {
  await setTips();
  const id = await journey.create({ amount: 60, splitBill: true });
  const started = await journey.sandbox.request('POST', '/api/payments/v1/secure-payment-auth', {
    secret: null,
    body: {
      institutionId: bank,
      paymentRequestSource: { paymentRequestSourcetype: 3, paymentRequestId: id },
      amount: { amount: 20 },
      tipAmount: 6,
    },
  });
  expect(started.status).toBe(200);
  const back = await journey.payer.approve(started.body.authorisationUrl);
  await journey.payer.comeBack(back ?? {});
  await waitUntil(async () => (await statusOf(id)).transactionDetails[0]?.status !== 'PENDING');
  const [share] = (await statusOf(id)).transactionDetails;
  expect(share).toMatchObject({ paidAmount: 26, tipAmount: 6 });
});

test('without custom tips an app must send one of the choices', async () => {
  await setTips({ allowCustom: false });
  const id = await journey.create({ amount: 60, splitBill: true });
  const start = async (tipAmount: number) => {
    const body = {
      institutionId: bank,
      paymentRequestSource: { paymentRequestId: id },
      amount: { amount: 20 },
      tipAmount,
    };
    const path = '/api/payments/v1/secure-payment-auth';
    return (await journey.sandbox.request('POST', path, { secret: null, body })).status;
  };
  // A tenth of the bill, and of the share.
  expect(await start(6)).toBe(400);
  expect(await start(-2)).toBe(400);
  expect(await start(2)).toBe(200);
});

test('six payers at the same moment never pay more than the bill', async () => {
  await setTips({ enabled: false });
  const id = await journey.create({ amount: 60, splitBill: true });
  const addresses = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      start(id, { share: 'custom', shareAmount: at % 2 === 0 ? '14.00' : '9.00' }),
    ),
  );
  for (const address of addresses) expect(address).toMatch(/^http/);
  await Promise.all(
    addresses.map(async (address) =>
      journey.payer.comeBack((await journey.payer.approve(address)) ?? {}),
    ),
  );
  const left = /data-live="left">£([\d.]+)/.exec(await pageAt(id, {}))?.[1];
  if (left !== '0.00') await pay(id, { share: 'rest' });
  await journey.becomes(id, 'COMPLETED .*');
  const { transactionDetails } = await statusOf(id);
  const pence = transactionDetails
    .filter(({ statusDetails }: { statusDetails: object | null }) => statusDetails)
    .map(({ paidAmount }: { paidAmount: number }) => Math.round(paidAmount * 100));
  expect(pence.reduce((sum: number, each: number) => sum + each, 0)).toBe(6000);
  await journey.allAgree();
});
