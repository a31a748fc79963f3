import type { CheckoutCardOffer, CheckoutView } from '@florin/contract';
import { expect, test } from 'vitest';
import { renderCheckout } from '../render-checkout.ts';
import { sampleReview, sampleViews } from '../test/sample-views.ts';

const assets = { scriptUrl: '/assets/s.js', cardScriptUrl: '/assets/c.js' };
const render = (view: CheckoutView): string => renderCheckout(view, assets);

test.each([
  ['authentication_required', 'warn'],
  ['access_denied', 'warn'],
  ['CONSENT_ENDED', 'warn'],
  ['generic_decline', 'bad'],
  ['AM04', 'bad'],
])('%s is told as "%s" on every page that tells it', (code, tone) => {
  const before = { lastFailure: 'Said by the processor.', lastFailureCode: code };
  for (const name of ['choose-bank', 'card-new', 'card-fields', 'card-open', 'no-cards'] as const) {
    const page = render({ ...sampleViews[name], ...before });
    expect(page.match(/class="note note-(?:warn|bad)"/g), name).toEqual([
      `class="note note-${tone}"`,
    ]);
  }
  const failed = render({ ...sampleViews.failed, reasonCode: code });
  expect(failed).toContain(`class="badge badge-${tone}"`);
});

test('the wallets of the device stand below the choice of a way, and a saved card instead of it', () => {
  const { card } = sampleViews['choose-bank-or-card'] as { card: CheckoutCardOffer };
  const order = (savedCards: CheckoutCardOffer['savedCards']) => {
    const offer = { ...card, saves: null, deviceWallets: ['Test wallet'], savedCards };
    const page = render({ ...sampleViews['choose-bank'], card: offer } as CheckoutView);
    return [...page.matchAll(/class="(express|or|ways)"|<h1/g)].map(([, name]) => name ?? 'h1');
  };
  expect(order([])).toEqual(['ways', 'express', 'or', 'h1']);
  expect(order(card.savedCards)).toEqual(['express', 'or', 'h1']);
});

test('by card the page says what the statement will, where the processor has told it', () => {
  const { card } = sampleViews['choose-bank-or-card'] as { card: CheckoutCardOffer };
  for (const name of ['card-new', 'card-fields'] as const) {
    const says = (statementName: string | null) =>
      render({ ...sampleViews[name], card: { ...card, statementName } } as CheckoutView);
    expect(says('CORNER COFFEE'), name).toMatch(/On your statement: <bdi>CORNER COFFEE/);
    expect(says(null), name).not.toContain('CORNER COFFEE');
  }
});

test('a failed attempt is shown above all ways to pay, with the reason of the bank', () => {
  const before = { lastFailure: 'access_denied', lastFailureCode: 'access_denied' };
  const page = render({ ...sampleViews['choose-bank-or-card'], ...before } as CheckoutView);
  expect(page).toMatch(
    /not approved at your bank\..*can try again, or pay another way.*class="express"/s,
  );
});

test('what cannot be tried again has a title of its own, and leads back to the shop', () => {
  const returnTo = { url: 'https://shop.example/' };
  const title = (view: CheckoutView) => / tabindex="-1">(.*?)<\/h1>/.exec(render(view))?.[1];
  expect(title(sampleViews.failed)).toBe('Payment not completed');
  const forGood = { ...sampleViews['failed-for-good'], returnTo };
  expect(title(forGood)).toBe('This payment has failed');
  expect(render(forGood)).toMatch(/class="button" href="https:\/\/shop\.example\/"/);
});

test('money that a bank holds stays an error', () => {
  const held = { moneyMoved: 'YES', reasonCode: 'access_denied', canRetry: false } as const;
  expect(render({ ...sampleViews.failed, ...held })).toContain('class="badge badge-bad"');
});

test('the page of a chosen bank names another way where a card is taken', () => {
  const says = (offersCard: boolean) =>
    render({ ...sampleReview, offersCard }).includes('Choose another way to pay');
  expect([says(true), says(false)]).toEqual([true, false]);
});
