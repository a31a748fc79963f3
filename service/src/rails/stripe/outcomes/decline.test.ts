import { describe, expect, it } from 'vitest';
import { declineOf } from './decline.ts';
import { declineSentences, sentenceOf } from './decline-sentences.ts';

describe('a decline reason', () => {
  it.each([
    ['generic_decline', 'USE_ANOTHER_CARD', /bank that issued the card declined/],
    ['insufficient_funds', 'TRY_AGAIN_LATER', /not enough money/],
    ['expired_card', 'USE_ANOTHER_CARD', /has expired/],
    ['incorrect_number', 'CHECK_DETAILS', /card number is not right/],
    ['incorrect_cvc', 'CHECK_DETAILS', /security code/],
    ['processing_error', 'TRY_AGAIN_LATER', /technical problem/],
    ['issuer_not_available', 'TRY_AGAIN_LATER', /cannot be reached/],
    ['authentication_required', 'BRING_CUSTOMER_BACK', /bring the customer back/],
    ['payment_intent_authentication_failure', 'USE_ANOTHER_CARD', /not confirmed/],
    ['duplicate_transaction', 'DO_NOT_TRY_AGAIN', /just now/],
  ])('%s is explained in plain words', (code, retry, words) => {
    expect(declineOf({ code: 'card_declined', decline_code: code })).toEqual({
      code,
      description: expect.stringMatching(words),
      retry,
      networkCode: null,
    });
  });

  it('does not tell the payer that a card is reported lost, stolen or suspected', () => {
    for (const code of ['lost_card', 'stolen_card', 'fraudulent', 'pickup_card'])
      expect(declineOf({ decline_code: code })).toMatchObject({
        code,
        retry: 'DO_NOT_TRY_AGAIN',
        description: declineOf({ decline_code: 'generic_decline' }).description,
      });
  });

  it('counts an unknown code as a decline', () => {
    expect(declineOf({ decline_code: 'brand_new_reason' })).toMatchObject({
      code: 'brand_new_reason',
      retry: 'USE_ANOTHER_CARD',
    });
    expect(declineOf({ decline_code: 'card 4242 4242 4242 4242' }).code).toBe('UNREADABLE');
    expect(declineOf({ decline_code: '4242424242424242' }).code).toBe('UNREADABLE');
    expect(declineOf({}).code).toBe('generic_decline');
  });

  it("follows the scheme's advice before the processor's, and both before the table", () => {
    const facts = { decline_code: 'generic_decline', advice_code: 'try_again_later' };
    expect(declineOf(facts).retry).toBe('TRY_AGAIN_LATER');
    expect(declineOf({ ...facts, network_advice_code: '03' }).retry).toBe('DO_NOT_TRY_AGAIN');
    expect(declineOf({ ...facts, network_advice_code: '99' }).retry).toBe('TRY_AGAIN_LATER');
    expect(declineOf({ ...facts, decline_code: 'stolen_card' }).retry).toBe('DO_NOT_TRY_AGAIN');
  });

  it('has one sentence per code, fit to show', () => {
    const codes = declineSentences.flatMap((reason) => reason.codes.split(' '));
    expect(new Set(codes).size).toBe(codes.length);
    for (const sentence of declineSentences.map(sentenceOf)) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence.length).toBeLessThan(200);
    }
  });
});
