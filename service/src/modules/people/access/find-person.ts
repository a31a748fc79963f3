import { createHash } from 'node:crypto';
import type { Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { readSessionToken } from './session-cookie.ts';
import { findSession, type SessionRow } from './store/sessions.ts';

/** Who is signed in by the session cookie of this request; null: no person. */
export const findPerson = async (
  { database, clock }: Uses<'database' | 'clock'>,
  cookies: string | undefined,
): Promise<Person | null> => {
  const token = readSessionToken(cookies);
  if (token === null) return null;
  const values = { tokenSha256: digestOf(token), now: clock.now() };
  const [row] = await database.system(findSession, values);
  return row ? personOf(row) : null;
};

/** What is stored of a session's token. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const personOf = (row: SessionRow): Person => ({
  personId: row.person_id,
  name: row.name,
  email: row.email,
  emailVerified: row.email_verified,
  twoFactorEnabled: row.two_factor_enabled,
  isOperator: row.is_operator,
  sessionId: row.session_id,
  authenticatedAt: row.authenticated_at,
});
