import { expect, test } from 'vitest';
import { listLifecyclePairs } from '../../../../../test/harness/list-lifecycle-pairs.ts';
import { authorisationLifecycle } from './authorisation.ts';

const allowed = new Map([
  ['OPEN bankChosen', 'AT_BANK'],
  ['OPEN cancelledByCustomer', 'CANCELLED'],
  ['OPEN linkExpired', 'EXPIRED'],
  ['OPEN revoked', 'REVOKED'],
  ['AT_BANK bankChosen', 'AT_BANK'],
  ['AT_BANK consentCreated', 'AT_BANK'],
  ['AT_BANK consentNotCreated', 'OPEN'],
  ['AT_BANK approved', 'EXCHANGING'],
  ['AT_BANK declinedByCustomer', 'CANCELLED'],
  ['AT_BANK cancelledByCustomer', 'CANCELLED'],
  ['AT_BANK refusedByBank', 'FAILED'],
  ['AT_BANK linkExpired', 'EXPIRED'],
  ['AT_BANK revoked', 'REVOKED'],
  ['EXCHANGING linked', 'LINKED'],
  ['EXCHANGING notLinked', 'FAILED'],
  ['EXCHANGING revoked', 'REVOKED'],
  ['LINKED reconfirmed', 'LINKED'],
  ['LINKED reconfirmationMissed', 'RECONFIRMATION_MISSED'],
  ['LINKED loginDemanded', 'LOGIN_NEEDED'],
  ['LINKED revoked', 'REVOKED'],
  ['LINKED revokedAtBank', 'REVOKED'],
  ['LINKED consentExpired', 'EXPIRED'],
  ['RECONFIRMATION_MISSED reconfirmed', 'LINKED'],
  ['RECONFIRMATION_MISSED revoked', 'REVOKED'],
  ['RECONFIRMATION_MISSED lapsed', 'EXPIRED'],
  ['LOGIN_NEEDED revoked', 'REVOKED'],
  ['LOGIN_NEEDED lapsed', 'EXPIRED'],
]);

test.each(listLifecyclePairs(authorisationLifecycle))('%s, %s', (state, trigger) => {
  const expected = allowed.get(`${state} ${trigger}`) ?? null;
  expect(authorisationLifecycle.next(state, trigger)).toBe(expected);
});

test('what has ended stays ended', () => {
  const final = authorisationLifecycle.states.filter(authorisationLifecycle.isFinal);
  expect(final).toEqual(['FAILED', 'CANCELLED', 'EXPIRED', 'REVOKED']);
});
