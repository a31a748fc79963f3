import { expect, test } from 'vitest';
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
