import type { Page } from 'playwright-core';
import * as browse from '../../web/checkout/src/test/browse.ts';
import type { Journey } from '../harness/open-journey.ts';

/** One page as the running service shows it, in the language that is asked for. */
export type State = {
  readonly name: string;
  readonly show: (page: Page, locale: string) => Promise<void>;
};

const shop = 'https://shop.example/thanks?basket=7';
const bank = 'mock-sandbox-v1';
const takenBackMs = 180_000;
const refused = 'FAILED RJCT';

/** Once more where a page before was on its way back to the shop, and so cut this. */
const open = (page: Page, address: string): Promise<void> =>
  browse.open(page, address).catch(() => browse.open(page, address));

const inLanguage = (address: string, locale: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}locale=${locale}`;

/** The shop is not there: an open page that wants to go back to it stays. */
export const holdAtShop = async (page: Page): Promise<void> => {
  await page.route('https://shop.example/**', (route) => route.fulfill({ status: 204 }));
};

const setTips = (journey: Journey) =>
  journey.sandbox.request('POST', '/api/sandbox/tips', {
    body: { enabled: true, tipType: 'PERCENTAGE', options: [5, 10, 15], allowCustom: true },
  });

/** Without a question before the banks. */
const create = (journey: Journey, more: object = {}): Promise<string> =>
  journey.create({ enableTips: false, ...more });

/** What is to be paid, in each state that an API call or a bank can bring about. */
const requests = {
  waiting: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'pending-forever');
    await journey.becomes(id, 'PENDING PDNG');
    return id;
  },
  paid: async (journey: Journey) => {
    const id = await create(journey, { redirectUrl: shop, notes: 'Table 12' });
    await journey.payer.pay(id);
    await journey.becomes(id, 'COMPLETED .*');
    return id;
  },
  failed: async (journey: Journey) => {
    const id = await create(journey, { redirectUrl: shop });
    await journey.payer.pay(id, 'insufficient-funds');
    await journey.becomes(id, refused);
    return id;
  },
  failedForGood: async (journey: Journey) => {
    const id = await create(journey, { allowRetry: false });
    await journey.payer.pay(id, 'payee-closed');
    await journey.becomes(id, refused);
    return id;
  },
  takenBack: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'rejected-late');
    await journey.becomes(id, 'COMPLETED .*');
    await journey.advance(takenBackMs);
    await journey.becomes(id, refused);
    return id;
  },
  blocked: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'blocked');
    await journey.becomes(id, 'FAILED BLCK');
    return id;
  },
  declined: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.pay(id, 'decline');
    return id;
  },
  unfinished: async (journey: Journey) => {
    const id = await create(journey);
    await journey.payer.start(id);
    return id;
  },
  cancelled: async (journey: Journey) => {
    const id = await create(journey, { redirectUrl: shop });
    await journey.sandbox.request('POST', `/api/payment-request/cancel/${id}`);
    return id;
  },
} as const;

const wrongAddress = async (page: Page): Promise<void> => {
  await page.fill('#email', 'ana@example');
  await page.locator('.email-receipt button').click();
  await page.waitForSelector('#email-wrong');
};

/** Every page that a payer of this service can meet. */
export const everyState = async (journey: Journey): Promise<readonly State[]> => {
  const { url } = journey.sandbox;
  await setTips(journey);
  // First, since it moves the clock of all.
  const takenBack = await requests.takenBack(journey);
  const [fresh, bill, expired, ...made] = await Promise.all([
    create(journey, { redirectUrl: shop, notes: 'Table 12' }),
    journey.create({ splitBill: true, enableTips: true }),
    create(journey, { expiresIn: 1 }),
    requests.waiting(journey),
    requests.paid(journey),
    requests.failed(journey),
    requests.failedForGood(journey),
    requests.blocked(journey),
    requests.declined(journey),
    requests.unfinished(journey),
    requests.cancelled(journey),
  ]);
  const [waiting, paid, failed, failedForGood, blocked, declined, unfinished, cancelled] = made;
  const at = (name: string, id: string | undefined, more = ''): State => ({
    name,
    show: (page, locale) =>
      open(page, inLanguage(`${url}/pay?paymentRequestId=${id}${more}`, locale)),
  });
  const notice = (name: string, path: string): State => ({
    name,
    show: (page, locale) => open(page, inLanguage(`${url}${path}`, locale)),
  });
  return [
    at('choose', fresh),
    at('search', fresh, '&search=harbor'),
    at('search-nothing', fresh, '&search=zzzz'),
    at('review', fresh, `&institutionId=${bank}`),
    at('card', fresh, '&way=card'),
    at('amount', bill),
    at('declined', declined),
    at('unfinished', unfinished),
    at('waiting', waiting),
    at('paid', paid),
    at('paid-and-stays', paid, '&stay=1'),
    at('receipt-asked', paid, '&stay=1&receipt=asked'),
    {
      name: 'receipt-wrong-address',
      show: async (page, locale) => {
        await at('', paid, '&stay=1').show(page, locale);
        await wrongAddress(page);
      },
    },
    at('failed', failed),
    at('failed-for-good', failedForGood),
    at('blocked', blocked),
    at('taken-back', takenBack),
    at('expired', expired),
    at('cancelled', cancelled),
    {
      name: 'time-nearly-up',
      show: async (page, locale) => {
        await at('', await create(journey, { expiresIn: 29_000 })).show(page, locale);
        await page.waitForSelector('.more-time', { state: 'visible' });
      },
    },
    notice('not-found', '/pay?paymentRequestId=x'),
    notice('bad-return', '/bank-return?state=abc&code=1'),
  ];
};
