import type { ReadAnswer, VisitAnswer } from '../bank/bank.ts';
import { isSameText } from './is-same-text.ts';
import { parameterOf } from './parameter-of.ts';
import { readAnswerMembers } from './read-answer-members.ts';

const parameterLengthMax = 4_096;

/**
 * A code in the query is not signed: its state, known to the visitor and the bank alone, says whose it
 * is, and the id token that it is exchanged for says what it pays.
 */
export const readQueryAnswer: ReadAnswer = async (bank, visit, parameters) =>
  readUnsignedAnswer(bank.profile.issuer, visit.authorisation.oauthState, parameters);

/** Errors come unsigned in the fragment too. */
export const readUnsignedAnswer = (
  issuer: string,
  oauthState: string,
  parameters: Readonly<Record<string, string>>,
): Extract<VisitAnswer, { readonly kind: 'CODE' | 'ERROR' | 'INVALID' }> => {
  const read = (name: string) => parameterOf(parameters, name, parameterLengthMax);
  if (!isSameText(read('state'), oauthState))
    return { kind: 'INVALID', why: 'The return belongs to another visit.' };
  const named = read('iss');
  if (named !== undefined && named !== issuer)
    return { kind: 'INVALID', why: 'The return names another bank.' };
  return readAnswerMembers({
    code: read('code'),
    error: read('error'),
    error_description: read('error_description'),
  });
};
