import { expect, test } from 'vitest';
import { explainFailure } from './insights.ts';

test.each([
  ['AM04', null, 'There was not enough money in the account.', 'PAYER'],
  ['REQUEST_EXPIRED', null, 'The request had expired before it was approved.', 'MERCHANT'],
  ['do_not_honor', 'The card was declined.', 'The card was declined.', 'PAYER'],
  ['XX99', null, 'It ended with XX99.', 'PAYER'],
])('%s with %s reads "%s"', (reason, description, title, whoseMove) => {
  expect(explainFailure(reason, description)).toMatchObject({ title, whoseMove });
});
