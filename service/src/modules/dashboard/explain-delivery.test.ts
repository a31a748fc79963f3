import { expect, test } from 'vitest';
import { explainDelivery } from './explain-delivery.ts';

test.each([
  ['DELIVERED', 200, null],
  [null, null, null],
  ['STATUS', 204, 'Your server answered 204; only 200 counts as received.'],
  ['STATUS', 301, 'Your server sent us elsewhere (301); redirects are not followed.'],
  ['STATUS', 404, 'There is nothing at this address (404).'],
  ['STATUS', 422, 'Your server refused the event with 422.'],
  ['STATUS', 500, 'Your server failed with 500.'],
  ['TIMEOUT', null, 'Your server did not answer within 10 seconds.'],
  [
    'BLOCKED',
    null,
    'The address leads where we do not send: into a private network, or to a host that is not listed.',
  ],
  ['UNHEARD_OF', null, 'The delivery failed: UNHEARD_OF.'],
])('%s %s is explained', (outcome, status, title) => {
  const why = explainDelivery({ outcome, status });
  expect(why?.title ?? null).toBe(title);
  if (why) expect(why.advice).toMatch(/[.?]$/);
});
