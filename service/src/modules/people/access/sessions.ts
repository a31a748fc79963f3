import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { limits } from '@florin/contract';
import { type Config, peopleUrl } from '#platform/config.ts';
import { named } from '#platform/database/rows.ts';
import type { Person } from '#platform/http/route.ts';
import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { findSession, insertSession, pruneSessions, useSession } from './store/sessions.ts';

/**
 * The cookie of a session. On https only https carries it; where the dashboard has a host of its own no other
 * host can set it either: one of a host above, or beside, would put its person into another's session.
 */
export const sessionCookie = (config: Pick<Config, 'dashboardOrigin' | 'publicUrl'>): string => {
  const isSecure = peopleUrl(config)?.startsWith('https:') ?? false;
  if (!isSecure) return 'florin_session';
  return config.dashboardOrigin ? '__Host-florin_session' : '__Secure-florin_session';
};

// The library that sets it appends a signature; the token alone is long enough to be unguessable.
const tokenPattern = /^[A-Za-z0-9]{32,64}$/;

/** Of the last cookie of that name; null: none. */
export const readSessionToken = (
  { config }: Uses<'config'>,
  cookies: string | undefined,
): string | null => {
  const start = `${sessionCookie(config)}=`;
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim());
  const last = pairs.findLast((pair) => pair.startsWith(start)) ?? start;
  const token = last.slice(start.length).split('.')[0] ?? '';
  return tokenPattern.test(token) ? token : null;
};

type SessionTools = Uses<'database' | 'clock' | 'config'>;

/** Who is signed in by the session cookie of this request; null: no person. */
export const findPerson = async (
  tools: SessionTools,
  cookies: string | undefined,
): Promise<Person | null> => {
  const token = readSessionToken(tools, cookies);
  if (token === null) return null;
  const values = { tokenSha256: digestOf(token), now: tools.clock.now() };
  const [row] = await tools.database.system(findSession, {
    ...values,
    idleSince: idleSince(tools),
  });
  return row ? named(row) : null;
};

/** Sessions that were last used before have ended (PEOPLE-1). */
export const idleSince = ({ clock, config }: Uses<'clock' | 'config'>): Date =>
  new Date(clock.now().getTime() - config.sessionIdleMinutes * minuteMs);

/** Of a page that reads on its own: how long ago its person last did something. */
const idleHeader = 'florin-idle-seconds';

/** A session goes on while its person does something; what a page reads on its own does not count. */
export const noteUse = async (
  tools: SessionTools,
  { sessionId, usedAt }: Person,
  headers: IncomingHttpHeaders,
): Promise<void> => {
  const idleSeconds = Number(headers[idleHeader] ?? 0);
  const idleMs = idleSeconds > 0 ? idleSeconds * 1000 : 0;
  const usedMs = tools.clock.now().getTime() - idleMs;
  if (usedMs < usedAt.getTime() + minuteMs) return;
  const values = { sessionId, usedAt: new Date(usedMs), idleSince: idleSince(tools) };
  await tools.database.system(useSession, values);
};

export type Visitor = 'SIGNED_IN' | 'ENDED' | 'NOBODY';

/** Whether somebody is signed in in this browser, or was until the session ended. */
export const visitorBy = async (
  tools: SessionTools,
  cookies: string | undefined,
): Promise<Visitor> => {
  if (readSessionToken(tools, cookies) === null) return 'NOBODY';
  return (await findPerson(tools, cookies)) ? 'SIGNED_IN' : 'ENDED';
};

/** What is stored of a session's token. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const minuteMs = 60_000;
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
