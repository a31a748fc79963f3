import type { ReadAnswer } from '../bank/bank.ts';
import { verifyBankJwt } from '../bank/open-key-source.ts';
import { isSameText } from './is-same-text.ts';
import { parameterOf } from './parameter-of.ts';
import { readAnswerMembers } from './read-answer-members.ts';

const responseLengthMax = 16_384;

/** The whole answer is signed by the bank (JARM). */
export const readSignedAnswer: ReadAnswer = async (bank, visit, parameters) => {
  const response = parameterOf(parameters, 'response', responseLengthMax);
  if (!response) return { kind: 'INVALID', why: 'The return carries no signed response.' };
  const { issuerKeys } = await bank.discovered.get();
  const claims = await verifyBankJwt(response, {
    keys: issuerKeys,
    issuer: bank.profile.issuer,
    audience: bank.client.clientId,
    now: bank.tools.clock.now(),
  });
  if (!claims) return { kind: 'INVALID', why: 'The response is not signed by this bank for us.' };
  if (!isSameText(claims.state, visit.authorisation.oauthState))
    return { kind: 'INVALID', why: 'The response belongs to another visit.' };
  return readAnswerMembers(claims);
};
