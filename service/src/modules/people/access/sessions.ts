import { createHash } from 'node:crypto';
import { limits } from '@florin/contract';
import { named } from '#platform/database/rows.ts';
import type { Person } from '#platform/http/route.ts';
import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { findSession, insertSession, pruneSessions } from './store/sessions.ts';

/** The cookie of a session; on https its name begins with `__Secure-`. */
export const sessionCookie = 'florin_session';

const pattern = new RegExp(`^(?:__Secure-)?${sessionCookie}=(.+)$`);
// The library that sets it appends a signature; the token alone is long enough to be unguessable.
const tokenPattern = /^[A-Za-z0-9]{32,64}$/;

/** Of the last cookie that holds one; null: none. */
export const readSessionToken = (cookies: string | undefined): string | null => {
  const values = (cookies ?? '').split(';').flatMap((pair) => pattern.exec(pair.trim())?.[1] ?? []);
  const token = values.at(-1)?.split('.')[0] ?? '';
  return tokenPattern.test(token) ? token : null;
};

/** Who is signed in by the session cookie of this request; null: no person. */
export const findPerson = async (
  { database, clock }: Uses<'database' | 'clock'>,
  cookies: string | undefined,
): Promise<Person | null> => {
  const token = readSessionToken(cookies);
  if (token === null) return null;
  const values = { tokenSha256: digestOf(token), now: clock.now() };
  const [row] = await database.system(findSession, values);
  return row ? named(row) : null;
};

export type Visitor = 'SIGNED_IN' | 'ENDED' | 'NOBODY';

/** Whether somebody is signed in in this browser, or was until the session ended. */
export const visitorBy = async (
  tools: Uses<'database' | 'clock'>,
  cookies: string | undefined,
): Promise<Visitor> => {
  if (readSessionToken(cookies) === null) return 'NOBODY';
  return (await findPerson(tools, cookies)) ? 'SIGNED_IN' : 'ENDED';
};

/** What is stored of a session's token. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const tokenBits = 256;

/** Signs a person in without asking who they are. Its token is stored as a digest only. */
export const startSession = async (
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

const pruneEveryMs = 10 * 60 * 1000;
const prunedAtOnce = 2_000;

/** Safe to run anywhere, any number of times. */
export const sessionJobs = ({ database }: Uses<'database'>): readonly Job[] => [
  {
    name: 'pruneSessions',
    everyMs: pruneEveryMs,
    run: async () => {
      const values = { limit: prunedAtOnce, inviteDays: limits.inviteRetentionDays };
      const [row] = await database.system(pruneSessions, values);
      return Number(row?.pruned ?? 0);
    },
  },
];
