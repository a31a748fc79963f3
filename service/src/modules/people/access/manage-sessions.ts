import { failures, limits, type ReplyOf } from '@florin/contract';
import type { listSessions } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { shown } from '#platform/database/rows.ts';
import type { Person } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { requireFreshSignIn, steppedUpUntil } from './admit-member.ts';
import { digestOf, idleSince, readSessionToken } from './sessions.ts';
import {
  confirmSession,
  deleteOtherSessions,
  deleteSession,
  deleteSessionByToken,
  listSessionRows,
} from './store/sessions.ts';

/** What a person does with their sessions. */
export const manageSessions = (tools: Uses<'database' | 'clock' | 'config'>) => {
  const { database, clock } = tools;
  return {
    list: async (person: Person): Promise<ReplyOf<typeof listSessions>> => {
      const { personId } = person;
      const values = { personId, now: clock.now(), limit: limits.pageSizeMax };
      const rows = await database.system(listSessionRows, {
        ...values,
        idleSince: idleSince(tools),
      });
      return {
        data: rows.map((row) => ({
          ...shown(row),
          isCurrent: row.session_id === person.sessionId,
        })),
      };
    },
    revoke: async (person: Person, sessionId: string): Promise<void> => {
      requireFreshSignIn(tools, person);
      const { personId } = person;
      const [ended] = await database.system(deleteSession, { personId, sessionId });
      if (!ended)
        throw new Failure(failures.notFound, { message: 'None of your sessions has this id.' });
    },
    revokeOthers: async (person: Person): Promise<number> => {
      requireFreshSignIn(tools, person);
      const { personId, sessionId } = person;
      return (await database.system(deleteOtherSessions, { personId, sessionId })).length;
    },
    /**
     * Of the browser that sent these cookies. At a sign-in, so that one that was planted there ends; at a
     * sign-out, because the library ends only one whose cookie it has signed; the token alone is accepted.
     */
    endThis: async (cookies: string): Promise<void> => {
      const token = readSessionToken(tools, cookies);
      if (token !== null)
        await database.system(deleteSessionByToken, { tokenSha256: digestOf(token) });
    },
    /** The person has just proved who they are. */
    confirm: async ({ sessionId }: Person): Promise<string> => {
      const [row] = await database.system(confirmSession, { sessionId, now: clock.now() });
      if (!row) throw new Failure(failures.signInRequired);
      return steppedUpUntil({ authenticatedAt: row.authenticated_at }).toISOString();
    },
  };
};
