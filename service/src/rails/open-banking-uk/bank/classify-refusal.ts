import type { Refusal, Unknown } from '#rails/bank-rail.ts';
import { sentenceFor } from '../messages/bank-errors.ts';
import type { Bank } from './bank.ts';
import type { BankAnswer } from './call-bank.ts';

/** The meaning of an answer other than success for something that may move money. */
export const classifyRefusal = (
  bank: Bank,
  answer: Extract<BankAnswer, { kind: 'ANSWER' }>,
): Refusal | Unknown => {
  const { status } = answer;
  if (status < 400 || status >= 500 || isAboutNow(status))
    return unknown(`The bank answered with status ${status}.`);
  const code = bank.codec.readError(answer.body)?.codes[0];
  if (!code) return unknown(`The bank answered with status ${status} and no reason.`);
  if (mayHaveHappened.has(code))
    return unknown(`The bank answered ${plainCode(code)}: the payment may exist already.`);
  return refusal(code);
};

/** Says "not now" or "not you", and nothing about the payment. */
const isAboutNow = (status: number): boolean => [401, 408, 425, 429].includes(status);

// Each of these can be the echo of our own earlier message whose answer was lost.
const mayHaveHappened = new Set([
  'U000',
  'U009',
  'U029',
  'U035',
  'U038',
  'AM05',
  'DUPL',
  'DU01',
  'DU02',
  'DU03',
  'DU04',
  'DU05',
  '1181',
  'UK.OBIE.UnexpectedError',
  'UK.OBIE.Resource.InvalidConsentStatus',
  'UK.OBIE.Rules.ResourceAlreadyExists',
]);

export const refusal = (code: string): Refusal => ({
  kind: 'REFUSED',
  code: plainCode(code),
  description: sentenceFor(code),
});

export const unknown = (description: string): Unknown => ({ kind: 'UNKNOWN', description });

export const unanswered = (why: string): Unknown => unknown(`No answer from the bank (${why}).`);

/** A code of the bank is stored and shown: only if it is short and plain. */
export const plainCode = (code: string): string =>
  /^[A-Za-z0-9._-]{1,64}$/.test(code) ? code : 'UNREADABLE';
