import { expect, test } from 'vitest';
import { sampleAttempt, samplePayment } from '#modules/payments/test/sample-payment.ts';
import { checkoutView } from './checkout-view.ts';
import { harbour, sampleSources } from './test/sample-sources.ts';

test.each([
  ['asked for', { institutionId: 'harbour' }, 'harbour'],
  ['selected by a link', { selectedBankId: 'harbour' }, 'harbour'],
  ['remembered', { rememberedBankId: 'harbour' }, 'harbour'],
  ['left for the list', { rememberedBankId: 'harbour', tryAgain: true }, undefined],
])('a bank that is down and was %s is named', (_, query, id) => {
  const institutions = [{ ...harbour, isEnabled: false }];
  const view = checkoutView(sampleSources({ institutions, query }));
  expect(view.page === 'CHOOSE_BANK' ? view.unavailableBank?.id : view.page).toBe(id);
});

const offer = { formToken: 'token', savedCards: [], saves: null, hasFields: true } as const;
const visa = { cardId: 'c', brand: 'Visa', lastFourDigits: '4242', expiryDate: '12/2040' };
const pressed = { way: 'CARD', tryAgain: true } as const;
const bankToo = [harbour];

test.each([
  ['pressed beside a bank', pressed, bankToo, {}, true],
  ['pressed beside a saved card', pressed, bankToo, { savedCards: [visa] }, true],
  ['the only way', {}, [], {}, true],
  ['the only way, beside a saved card', {}, [], { savedCards: [visa] }, false],
  ['the only way, and another is looked for', { tryAgain: true }, [], {}, false],
  ['to be saved, as is said above the fields', {}, [], { saves: 'unscheduled' }, true],
  [
    'to be saved, and no fields say so',
    pressed,
    [],
    { saves: 'unscheduled', hasFields: false },
    false,
  ],
] as const)(
  'a card that is %s leads to its fields at once or not',
  (_, query, institutions, more, is) => {
    const card = { ...offer, ...more };
    const view = checkoutView(sampleSources({ institutions, query, card }));
    expect(view.page === 'CHOOSE_CARD' ? view.postsItself : view.page).toBe(is);
  },
);

test('two banks with the same name show what tells them apart, also once one is chosen', () => {
  const named = (id: string, more: object = {}) => ({ ...harbour, id, ...more });
  const institutions = [
    harbour,
    named('private', { fullName: 'Harbour Private' }),
    named('other', { name: 'Quay', fullName: 'Quay', kind: 'personal' }),
    named('works', { name: 'quay ', fullName: 'Quay', kind: 'business' }),
    named('pebble', { name: 'Pebble' }),
    named('tern-1', { name: 'Tern', fullName: 'Tern' }),
    named('tern-2', { name: 'Tern', fullName: 'Tern' }),
  ];
  const apart = ['fullName', 'fullName', 'kind', 'kind', undefined, 'id', 'id'];
  const list = checkoutView(sampleSources({ institutions }));
  expect(list.page === 'CHOOSE_BANK' && list.banks.map(({ apartBy }) => apartBy)).toEqual(apart);
  const chosen = checkoutView(sampleSources({ institutions, query: { institutionId: 'works' } }));
  expect(chosen.page === 'REVIEW' && chosen.bank.apartBy).toBe('kind');
});

test.each([
  ['names a card beside the bank', offer, true],
  ['names none where none is taken', null, false],
])('the page of a chosen bank %s', (_, card, isOffered) => {
  const view = checkoutView(sampleSources({ card, query: { institutionId: 'harbour' } }));
  expect(view.page === 'REVIEW' && view.offersCard).toBe(isOffered);
});

test.each([
  ['are offered again', {}, ['Test wallet']],
  ['are not where a saved card comes before them', { savedCards: [visa] }, []],
  ['are not where a card is to be saved', { saves: 'unscheduled' as const }, []],
])('after a failure the wallets of the device %s', (_, more, wallets) => {
  const failed = { status: 'FAILED', step: 'ENDED', endedReason: 'REJECTED' } as const;
  const payment = { ...samplePayment(), attempts: [sampleAttempt(failed)] };
  const card = { ...offer, deviceWallets: ['Test wallet'], ...more };
  const view = checkoutView(sampleSources({ payment, card }));
  expect(view.page === 'RESULT' && view.retryWays?.wallets).toEqual(wallets);
});
