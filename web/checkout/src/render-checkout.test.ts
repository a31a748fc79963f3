import type { CheckoutView } from '@florin/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { directionOf, locales } from './language/locales.ts';
import { bankIcon } from './parts/bank-picture.ts';
import { renderCheckout } from './render-checkout.ts';
import { renderNotice } from './render-notice.ts';
import {
  inLocale,
  sampleChooseBank,
  sampleNotices,
  sampleReview,
  sampleViews,
} from './test/sample-views.ts';

const assets = { scriptUrl: '/assets/s.js' };
const render = (view: CheckoutView, locale = 'en') =>
  renderCheckout(inLocale(view, locale), assets);

const pages: readonly (readonly [string, (locale: string) => string])[] = [
  ...Object.entries(sampleViews).map(
    ([name, view]) => [name, (locale: string) => render(view, locale)] as const,
  ),
  ...Object.entries(sampleNotices).map(
    ([name, notice]) =>
      [name, (locale: string) => renderNotice(notice, assets, { locale, here: '/pay' })] as const,
  ),
];

const matches = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

test.each(pages)('%s is a complete document in every language', (_, renderIn) => {
  for (const locale of locales) {
    const page = renderIn(locale);
    expect(page).toContain(`<html lang="${locale}" dir="${directionOf(locale)}">`);
    expect(matches(page, /<h1[ >]/g)).toBe(1);
    expect(page).not.toMatch(/\{\w+\}|undefined|\[object|NaN/);
    expect(page).not.toMatch(/<script>|\sstyle=|\son\w+=/);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!shop\.example)/);
  }
});

const { waiting, paid, failed } = sampleViews;

test.each([
  [
    'the choice of a bank',
    sampleChooseBank,
    ['Pay Marigold &amp; Moss', '£42.50', 'On your statement', 'MARIGOLD AND MOSS LTD', '14:35'],
  ],
  [
    'the review',
    sampleReview,
    ['£42.50', 'MARIGOLD AND MOSS LTD', 'MM202610417', 'Harbour &amp; Quay'],
  ],
  [
    'the review',
    sampleReview,
    [
      'Florin will ask Harbour &amp; Quay to pay Marigold &amp; Moss £42.50.',
      'Next: approve in Harbour &amp; Quay’s app',
      'form-token',
    ],
  ],
  ['the review', sampleViews['review-parts'], ['VAT included</dt><dd>£6.67', '>£2.50<']],
  ...(['choose-with-items', 'paid-with-items'] as const).map(
    (name) =>
      [
        name,
        sampleViews[name],
        [
          'Items',
          '2 × Fern in a terracotta pot</dt><dd>£39.00<',
          'Members’ discount</dt><dd>−£5.00<',
          'Message from Marigold &amp; Moss',
          'Friday.\n\nRing &lt;Anna&gt; if',
        ],
      ] as const,
  ),
  ['waiting', waiting, ['payment of £42.50.', 'close this page', '3f0c8f5e-1a52<']],
  ['waiting for long', sampleViews['waiting-slow'], ['Please do not pay again']],
  ['the receipt', paid, ['£42.50', '4 May 2026 at 14:31', '3f0c8f5e-1a52<']],
  ['the receipt', paid, ['MARIGOLD AND MOSS LTD', 'Back to Marigold &amp; Moss']],
  ['the failure', failed, ['No money has left your account', 'Choose another bank']],
  [
    'a failure with moved money',
    { ...failed, moneyMoved: 'YES' },
    ['Your bank is holding', 'Money has left', 'do not pay', 'send the money back'],
  ],
] as const)('%s shows what the payer must know', (_, view, texts) => {
  const text = render(view).replaceAll(/<\/?(?:bdi|strong)>/g, '');
  for (const each of texts) expect(text).toContain(each);
});

test.each([
  ['CHOOSE_SHARE', 'share', 'Choose how much of the bill you want to pay'],
  ['NOT_AN_AMOUNT', 'shareAmount', 'Enter an amount in pounds'],
  ['NOT_PEOPLE', 'people', 'You cannot pay for more people than are sharing the bill'],
  ['MORE_THAN_LEFT', 'shareAmount', 'Enter <bdi>£42.50</bdi> or less'],
  ['LEAVES_TOO_LITTLE', 'shareAmount', 'This would leave less than <bdi>£1.00</bdi>'],
  ['TOO_SMALL', 'shareAmount', 'The smallest share is <bdi>£1.00</bdi>'],
  ['CHOOSE_TIP', 'tip', 'Choose a tip, or no tip'],
  ['TIP_NOT_AN_AMOUNT', 'customTip', 'Enter an amount in pounds'],
  ['TIP_TOO_HIGH', 'customTip', 'A tip can be at most <bdi>£42.50</bdi>'],
  ['CHANGED', 'share', 'The amount left to pay is now <bdi>£42.50</bdi>'],
] as const)('the amount step explains %s at %s', (code, field, text) => {
  const problem = { code, field, amount: '42.50' };
  expect(render({ ...sampleViews['share-wrong'], problem }).split(text)).toHaveLength(2);
});

test('waiting and returning work without a script', () => {
  expect(render(waiting)).toContain('<noscript><meta http-equiv="refresh" content="2"></noscript>');
  expect(render(sampleViews['paid-returning'])).toContain(
    'content="20;url=https://shop.example/thanks?status=x"',
  );
});

test('a script address is not in the page', () => {
  const returnTo = { url: 'javascript:alert(1)' };
  for (const view of Object.values(sampleViews))
    expect(render({ ...view, returnTo } as CheckoutView)).not.toContain('javascript:');
});

test('banks that cannot be chosen have a reason and no link', () => {
  const page = render(sampleChooseBank);
  expect(page).not.toContain('institutionId=tide');
  expect(page).toContain('Not available right now');
  expect(page).toContain('above the bank’s limit');
});

test('a bank that was asked for and cannot be chosen is named, with the reason', () => {
  const [tide, pebble] = sampleChooseBank.banks.filter(({ isAvailable }) => !isAvailable);
  const noteOf = (unavailableBank = tide) =>
    /class="note note-warn">(.*?)<\/div>/.exec(
      render({ ...sampleChooseBank, ...(unavailableBank && { unavailableBank }) }),
    )?.[1];
  expect(noteOf(tide)).toMatch(/Tidewater.*is not available right now.*Choose another bank/);
  expect(noteOf(pebble)).toMatch(/Pebble.*above the bank’s limit/);
});

test('warns against paying again only when the bank is slow', () => {
  const [before, said] = render(waiting).split('data-slow-in="20"><div hidden>');
  expect(before).not.toContain('do not pay again');
  expect(said).toContain('Please do not pay again');
  expect(render(sampleViews['waiting-slow'])).not.toContain('<div hidden>');
});

test('a search without a script shows the likely banks', () => {
  const page = render(sampleViews.search);
  expect(page).toContain('1 bank found for “');
  expect(page).toContain('institutionId=harbour');
  expect(page).not.toContain('institutionId=orchard');
});

test.each(Object.entries(sampleViews))('%s names the merchant, not the operator', (_, view) => {
  const page = render(view).replaceAll(/<\/?bdi>/g, '');
  expect(page).toContain('<meta property="og:title" content="Pay £');
  expect(page).toContain(' to Marigold &amp; Moss">');
  expect(page).not.toMatch(/(?:Pay to<\/dt><dd>|paid? £[\d.]+ to )MARIGOLD/);
});

test('a name that differs in writing only is not shown twice', () => {
  const summary = { ...sampleReview.summary, payeeName: 'MARIGOLD AND MOSS' };
  expect(render({ ...sampleReview, summary })).not.toContain('On your statement');
});

test.each([
  [failed, /£42\.50<.p><.div><.header>.*Choose another bank/, 'quote this reference'],
  [
    sampleViews['failed-for-good'],
    /quote this reference.*data-copy="MM202610417".*3f0c8f5e-1a52/,
    'Choose another bank',
  ],
])('a failure says once that no money moved, and what may be done', (view, said, unsaid) => {
  const page = render(view);
  expect(matches(page, /No money has left your account/g)).toBe(1);
  expect(page).toMatch(said);
  expect(page).not.toContain(unsaid);
});

test('a payer who opens a started payment sees where it waits', () => {
  expect(render(sampleViews.started)).toContain('Continue to <bdi>Harbour &amp; Quay');
  const elsewhere = render(sampleViews['started-elsewhere']);
  expect(elsewhere).toContain('This payment was started on another device');
  expect(elsewhere).toMatch(/note-calm.*It can only be paid once.*No money has left your account/s);
  expect(elsewhere).toMatch(/class="button"[^>]*><span>Check again<.*Pay here instead</s);
  expect(elsewhere).not.toContain('Continue to <bdi>Harbour');
});

test('a payer goes on with the same bank from the list, where it can be chosen', () => {
  const again = /class="button" href="[^"]*institutionId=harbour&amp;again=1"><span>([^<]*)</;
  const { lastFailure, unfinished } = sampleViews['choose-after-failure'];
  const declined = { ...sampleChooseBank, lastFailure, failed: unfinished };
  const labelIn = (view: CheckoutView) => again.exec(render(view).replaceAll(/<\/?bdi>/g, ''))?.[1];
  expect(labelIn({ ...sampleChooseBank, unfinished })).toBe('Continue to Harbour &amp; Quay');
  expect(labelIn(declined)).toBe('Try again with Harbour &amp; Quay');
  expect(labelIn({ ...declined, banks: [] })).toBeUndefined();
  expect(labelIn({ ...declined, lastFailureCode: 'AM04' })).toBeUndefined();
});

test('a return that is not of the bank leads to the payment, where it is known', () => {
  const shown = (payUrl: string | null) =>
    renderNotice({ page: 'BAD_RETURN', payUrl }, assets, { locale: 'en', here: null });
  expect(shown('/pay?x=1')).toContain('href="/pay?x=1"');
  expect(shown('//evil.example')).not.toContain('class="button"');
});

test('no tip and all that is left are chosen before', () => {
  const page = render({ ...sampleViews['share-and-tip'], chosen: sampleViews.share.chosen });
  for (const value of ['rest', 'none']) expect(page).toContain(`value="${value}" checked`);
});

test('shows reasons in the language of the payer', () => {
  expect(render(failed, 'pl')).toContain('Na koncie nie było wystarczających środków.');
  expect(render({ ...failed, reasonCode: 'ZZ99' }, 'cy')).toContain('Ni wnaeth eich banc');
  for (const locale of locales) {
    const page = render({ ...failed, reason: 'The bank said no.', reasonCode: 'ZZ99' }, locale);
    expect(page).not.toContain('The bank said no.');
    expect(matches(page, /class="why"/g)).toBe(1);
  }
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '<script>x()</script>',
    '"><img src=x onerror=x()>',
    "' onmouseover='x()",
    '</title></textarea>',
  ),
);

test('names cannot break out of their markup', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(...Object.values(sampleViews)), (text, view) => {
      // Some letters leave the receipt without a file.
      const tags = (page: string) =>
        matches(page.replace(/<a [^>]*receipt\.pdf.*?<\/a>/, ''), /<[a-z!/]/gi);
      const named = (name: string) =>
        render({
          ...view,
          frame: { ...view.frame, merchantName: name, storeName: name, operatorName: name },
          summary: {
            ...view.summary,
            ...{ payeeName: name, reference: name, notes: name, orderId: 'O', payerNote: name },
            lineItems: [{ name, quantity: 2, amount: '42.50' }],
          },
        });
      expect(tags(named(`x${text}`))).toBe(tags(named('plain')));
    }),
    { numRuns: 300 },
  );
});

const simulated = ['mock', 'harbour', 'northfield', 'copperleaf', 'kestrel', 'larkrise'].concat([
  'tidewater',
  'emberly',
  'greyfriars',
  'foxglove',
]);

test('each test bank has a drawing of its own, and a configured icon stands in its place', () => {
  const drawn = simulated.map((name) => bankIcon(name, '#123456', `${name}-sandbox`));
  expect(new Set(drawn).size).toBe(simulated.length);
  for (const icon of drawn) expect(icon).not.toContain('<text');
  const [bank] = sampleChooseBank.banks;
  if (!bank) throw new Error('no bank');
  const banks = [{ ...bank, iconUrl: '/bank-icons/mock.svg' }];
  expect(render({ ...sampleChooseBank, banks })).toContain(
    '<img class="monogram" src="/bank-icons/mock.svg"',
  );
});

const contact = {
  email: 'help&bcc=all?subject=x@moss.example',
  phone: '+44 20 7946-0000',
  url: 'https://moss.example/"><script>/',
};

test.each(Object.entries(sampleViews))('%s shows the contact, once', (name, view) => {
  const helped = render({ ...view, frame: { ...view.frame, support: contact } });
  expect(render(view)).not.toContain('class="support"');
  expect(helped).not.toContain('<script>/');
  const mail = 'mailto:help%26bcc%3Dall%3Fsubject%3Dx@moss.example';
  // While a bank is slow, a link that names the payment stands beside what is to be done.
  const isTwice = (link: string) => link === mail && name.includes('waiting');
  for (const link of [mail, 'tel:+442079460000', 'https://moss.example/%22%3E%3Cscript%3E/'])
    expect(helped.split(`href="${link}`), name).toHaveLength(isTwice(link) ? 3 : 2);
});

test('the icon of the tab is the logo of the merchant, or its letters on its colour', () => {
  const iconIn = (frame: object): string => {
    const page = render({ ...sampleChooseBank, frame: { ...sampleChooseBank.frame, ...frame } });
    return decodeURIComponent(/<link rel="icon" href="([^"]+)"/.exec(page)?.[1] ?? '');
  };
  const letters = iconIn({ accentColour: '#a8224f' });
  expect(letters).toMatch(/^data:image\/svg\+xml,<svg .*fill="#a8224f".*>MM<\/text>/s);
  expect(iconIn({ avatarUrl: '/merchant-logos/m/l.svg' })).toBe('/merchant-logos/m/l.svg');
});
