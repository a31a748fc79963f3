import type { VisitAnswer } from '../bank/bank.ts';

const codeLengthMax = 4_096;

/** The error or the code, of an answer that is known to be of this visit. */
export const readAnswerMembers = (
  members: Readonly<Record<string, unknown>>,
): Extract<VisitAnswer, { readonly kind: 'CODE' | 'ERROR' | 'INVALID' }> => {
  const { error, code } = members;
  if (typeof error === 'string' && error !== '')
    return { kind: 'ERROR', error, text: members.error_description };
  if (typeof code !== 'string' || code === '' || code.length > codeLengthMax)
    return { kind: 'INVALID', why: 'The response carries neither a code nor an error.' };
  return { kind: 'CODE', code };
};
