import { limits } from '@florin/contract';
import type { Uses } from '#platform/tools.ts';
import { digestOf } from './find-person.ts';
import { insertSession } from './store/sessions.ts';

const tokenBits = 256;

/** Signs a person in without asking who they are. Its token is stored as a digest only. */
export const openSession = async (
  { database, ids, clock }: Uses<'database' | 'ids' | 'clock'>,
  personId: string,
): Promise<{ readonly sessionId: string; readonly token: string }> => {
  const [sessionId, token, now] = [ids.uuid(), ids.token(tokenBits), clock.now()];
  await database.system(insertSession, {
    ...{ sessionId, personId, now },
    tokenSha256: digestOf(token),
    expiresAt: new Date(now.getTime() + limits.sessionMs),
    address: null,
    userAgent: null,
  });
  return { sessionId, token };
};
