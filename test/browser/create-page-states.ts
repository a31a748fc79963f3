import type { CheckoutNotice, CheckoutView } from '@florin/contract';
import type { Page } from 'playwright-core';
import * as browse from '../../web/checkout/src/test/visit.ts';
import type { Journey } from '../harness/open-journey.ts';
import { createLinkStates, type LinkPageName } from './create-link-states.ts';
import { create, samplePayments, setTips, shop } from './sample-payments.ts';

type PageName = (CheckoutView | CheckoutNotice)['page'] | LinkPageName;

/** One page as the running service shows it, in a given language. */
export type PageState = {
  readonly name: string;
  readonly page: PageName;
  readonly show: (page: Page, locale: string) => Promise<void>;
};

const bank = 'mock-sandbox-v1';

/** Tries twice: a page that is returning to the shop may interrupt the first try. */
const open = (page: Page, address: string): Promise<void> =>
  browse.openAddress(page, address).catch(() => browse.openAddress(page, address));

const inLanguage = (address: string, locale: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}locale=${locale}`;

const wrongAddress = async (page: Page): Promise<void> => {
  await page.locator('.keep a[href$="#email"]').click();
  await page.fill('#email', 'ana@example');
  await page.locator('.email-receipt button').click();
  await page.waitForSelector('#email-wrong');
};

/** Posts a form that no page sends: the server shows its error page. */
const postNonsense = async (page: Page, address: string): Promise<void> => {
  await page.goto('about:blank');
  await page.setContent(
    `<form method="post" enctype="text/plain" action="${address}"><button>Go</button></form>`,
  );
  await page.click('button');
  await page.waitForSelector('h1');
};

const createPayments = async (journey: Journey) => {
  await setTips(journey);
  // First, because it moves the clock of all payments.
  const reversed = await samplePayments.reversed(journey);
  const { reversed: _, ...others } = samplePayments;
  const entries = Object.entries(others).map(
    async ([name, make]) => [name, await make(journey)] as const,
  );
  const payments = Object.fromEntries(await Promise.all(entries)) as {
    readonly [Name in keyof typeof others]: Awaited<ReturnType<(typeof others)[Name]>>;
  };
  return { ...payments, reversed };
};

/** Every page that a payer, or a customer who links accounts, can see, in every state. */
export const createPageStates = async (journey: Journey): Promise<readonly PageState[]> => {
  const { url } = journey.sandbox;
  const payments = await createPayments(journey);
  const [fresh, tip, expired] = await Promise.all([
    create(journey, { redirectUrl: shop, notes: 'Table 12' }),
    journey.create({ enableTips: true }),
    create(journey, { expiresIn: 1 }),
  ]);
  const at = (name: string, page: PageName, id: string | undefined, more = ''): PageState => ({
    name,
    page,
    show: async (to, locale) => {
      // As a browser that opened the link before the payment was made.
      await to.context().addCookies([{ name: 'florin_opened', value: id ?? '', url }]);
      await open(to, inLanguage(`${url}/pay?paymentRequestId=${id}${more}`, locale));
    },
  });
  const notice = (name: string, page: PageName, path: string): PageState => ({
    name,
    page,
    show: (to, locale) => open(to, inLanguage(`${url}${path}`, locale)),
  });
  const { sharedBill: bill, savedCard } = payments;
  const ownShare = `&payment=${bill.paidShare}`;
  return [
    ...(await createLinkStates(journey, open)),
    at('tip', 'CHOOSE_AMOUNT', tip),
    at('share', 'CHOOSE_AMOUNT', bill.id),
    at('share-too-much', 'CHOOSE_AMOUNT', bill.id, '&chosen=1&share=custom&shareAmount=500'),
    at('choose', 'CHOOSE_BANK', fresh),
    at('choose-for-share', 'CHOOSE_BANK', bill.id, '&chosen=1&share=rest&tip=1'),
    at('search', 'CHOOSE_BANK', fresh, '&search=harbor'),
    at('search-nothing', 'CHOOSE_BANK', fresh, '&search=zzzz'),
    at('declined', 'CHOOSE_BANK', payments.declined),
    at('started-elsewhere', 'STARTED', payments.unfinished),
    at('unfinished', 'CHOOSE_BANK', payments.unfinished, '&again=1'),
    at('saved-card', 'CHOOSE_BANK', savedCard.fresh),
    {
      name: 'time-nearly-up',
      page: 'CHOOSE_BANK',
      show: async (page, locale) => {
        const id = await create(journey, { expiresIn: 29_000 });
        await at('', 'CHOOSE_BANK', id).show(page, locale);
        await page.waitForSelector('.more-time', { state: 'visible' });
      },
    },
    at('card', 'CHOOSE_CARD', fresh, '&way=card'),
    at('card-or-saved', 'CHOOSE_CARD', savedCard.fresh, '&way=card'),
    at('card-is-saved', 'CHOOSE_CARD', payments.toSaveACard),
    at('review', 'REVIEW', fresh, `&institutionId=${bank}`),
    at('at-card-page', 'AT_CARD_PAGE', payments.atCardPage),
    at('card-step-up', 'AT_CARD_PAGE', savedCard.challenged),
    at('card-step-up-here', 'AT_CARD_PAGE', savedCard.challenged, '&way=card'),
    at('waiting', 'WAITING', payments.waiting),
    at('paid', 'RESULT', payments.paid),
    at('paid-and-stays', 'RESULT', payments.paid, '&stay=1'),
    at('paid-by-card', 'RESULT', payments.paidByCard),
    at('paid-share', 'RESULT', bill.id, ownShare),
    at('receipt-requested', 'RESULT', payments.paid, '&stay=1&receipt=asked'),
    {
      name: 'receipt-wrong-address',
      page: 'RESULT',
      show: async (page, locale) => {
        await at('', 'RESULT', payments.paid, '&stay=1').show(page, locale);
        await wrongAddress(page);
      },
    },
    at('failed', 'RESULT', payments.failed),
    at('failed-for-good', 'RESULT', payments.failedForGood),
    at('declined-card', 'RESULT', payments.declinedCard),
    at('blocked', 'RESULT', payments.blocked),
    at('reversed', 'RESULT', payments.reversed),
    at('bill-paid', 'BILL_PAID', payments.billPaid),
    at('no-way', 'NO_WAY_TO_PAY', payments.noWay),
    at('suspended', 'SUSPENDED', payments.suspended.id),
    notice('suspended-code', 'MERCHANT_SUSPENDED', payments.suspended.codePath),
    at('expired', 'EXPIRED', expired),
    at('cancelled', 'CANCELLED', payments.cancelled),
    notice('not-found', 'NOT_FOUND', '/pay?paymentRequestId=x'),
    notice('bad-return', 'BAD_RETURN', '/bank-return?state=abc&code=1'),
    notice('link-not-found', 'LINK_NOT_FOUND', '/link-bank?accountAuthId=x'),
    notice('link-bad-return', 'LINK_BAD_RETURN', '/bank-link-return?state=abc&code=1'),
    notice('code-not-found', 'CODE_NOT_FOUND', '/c/nothing'),
    notice('fragment-return', 'FRAGMENT_RETURN', '/bank-return'),
    {
      name: 'unavailable',
      page: 'UNAVAILABLE',
      show: (page, locale) => postNonsense(page, inLanguage(`${url}/pay/start`, locale)),
    },
  ];
};

/** Every page of the contract; a missing one does not compile. */
export const pageNames = Object.keys({
  CHOOSE_AMOUNT: true,
  CHOOSE_BANK: true,
  CHOOSE_CARD: true,
  REVIEW: true,
  AT_CARD_PAGE: true,
  STARTED: true,
  WAITING: true,
  RESULT: true,
  BILL_PAID: true,
  NO_WAY_TO_PAY: true,
  SUSPENDED: true,
  MERCHANT_SUSPENDED: true,
  EXPIRED: true,
  CANCELLED: true,
  NOT_FOUND: true,
  BAD_RETURN: true,
  LINK_NOT_FOUND: true,
  LINK_BAD_RETURN: true,
  CODE_NOT_FOUND: true,
  UNAVAILABLE: true,
  FRAGMENT_RETURN: true,
  LINK_CHOOSE_BANK: true,
  LINK_CONSENT: true,
  LINK_TEST_BANK: true,
  LINK_LINKED: true,
  LINK_ENDED: true,
} satisfies Record<PageName, true>);

/**
 * Blocks the shop, so that a page that returns to it stays open. Also blocks the post of a bank's
 * fragment, and the start by which a page of cards leads to the fields.
 */
export const blockShop = async (page: Page): Promise<void> => {
  await page.route('https://shop.example/**', (route) => route.fulfill({ status: 204 }));
  await page.route('**/bank-return', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue(),
  );
  await page.route('**/pay/start', (route) =>
    /way=card(?!.*resume)/.test(route.request().postData() ?? '')
      ? route.fulfill({ status: 204 })
      : route.continue(),
  );
};
