import { expect, test } from 'vitest';
import { renderCheckout } from '../../render-checkout.ts';
import { sampleViews } from '../../test/sample-views.ts';

const view = sampleViews['choose-with-items'];

/** Of the column beside the choice. */
const labelsWith = (more: object): readonly string[] => {
  const page = renderCheckout(
    { ...view, summary: { ...view.summary, ...more } },
    { scriptUrl: null },
  );
  const [, wide = ''] = /<div class="wide">(.*?)<div class="action">/s.exec(page) ?? [];
  return [...wide.matchAll(/<dt>(.*?)<\/dt>|<h3>(Message)/g)]
    .map(([, label, message]) => (label ?? message ?? '').replaceAll(/<[^>]+>/g, '').slice(0, 8))
    .slice(3);
};

test.each([
  ['their sum', {}, ['Total', 'On your ', 'Referenc', 'Order', 'Message']],
  ['the bill, where a tip may follow', { tipsEnabled: true }, ['Bill', 'On your ']],
  [
    'the bill and its tip, once',
    { tipAmount: '4.25', tipsEnabled: true },
    ['Bill', 'Tip', 'Total', 'On your '],
  ],
])('before a payment the items end with %s', (_, more, labels) => {
  expect(labelsWith(more).slice(0, labels.length)).toEqual(labels);
});
