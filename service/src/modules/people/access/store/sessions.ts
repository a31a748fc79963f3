import type { ReplyOf } from '@florin/contract';
import type { listSessions } from '@florin/contract/dashboard/index.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Person } from '#platform/http/route.ts';

type SessionRow = RowOf<Person, 'authenticatedAt' | 'usedAt'>;

/** Nothing is cached, so that a revoked session is refused at once by every process. */
export const findSession = statement<
  { readonly tokenSha256: Buffer; readonly now: Date; readonly idleSince: Date },
  SessionRow
>(
  'person_session_find',
  sql('tokenSha256', 'now', 'idleSince')`
   select s.session_id, s.authenticated_at, s.used_at, p.person_id, p.name, p.email,
     p.email_verified, p.two_factor_enabled,
     p.two_factor_enabled or s.by_passkey as has_second_factor, p.is_operator
   from person_session s join person p on p.person_id = s.person_id
   where s.token_sha256 = :tokenSha256 and s.expires_at > :now and s.used_at > :idleSince`,
);

export const useSession = statement<
  { readonly sessionId: string; readonly usedAt: Date; readonly idleSince: Date },
  never
>(
  'person_session_use',
  sql('sessionId', 'usedAt', 'idleSince')`
   update person_session set used_at = greatest(used_at, :usedAt)
   where session_id = :sessionId::uuid and used_at > :idleSince`,
  { guardedBy: 'greatest: of two uses the later stays; one that has ended stays ended' },
);

export type NewSessionRow = {
  readonly sessionId: string;
  readonly personId: string;
  readonly tokenSha256: Buffer;
  readonly expiresAt: Date;
  readonly now: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
};

export const insertSession = statement<NewSessionRow, never>(
  'person_session_insert',
  sql('sessionId', 'personId', 'tokenSha256', 'expiresAt', 'now', 'address', 'userAgent')`
   insert into person_session (session_id, person_id, token_sha256, expires_at, created_at,
     authenticated_at, used_at, address, user_agent)
   values (:sessionId, :personId, :tokenSha256, :expiresAt, :now, :now, :now, :address, :userAgent)`,
  { guardedBy: 'primary key and unique digest' },
);

type Listed = ReplyOf<typeof listSessions>['data'][number];

export const listSessionRows = statement<
  {
    readonly personId: string;
    readonly now: Date;
    readonly idleSince: Date;
    readonly limit: number;
  },
  RowOf<Omit<Listed, 'isCurrent'>, 'createdAt' | 'expiresAt'>
>(
  'person_session_list',
  sql('personId', 'now', 'idleSince', 'limit')`
   select session_id, created_at, expires_at, address, user_agent from person_session
   where person_id = :personId and expires_at > :now and used_at > :idleSince
   order by created_at desc, session_id limit :limit`,
);

export const deleteSession = statement<
  { readonly personId: string; readonly sessionId: string },
  { readonly session_id: string }
>(
  'person_session_delete',
  sql('personId', 'sessionId')`
   delete from person_session where person_id = :personId and session_id = :sessionId::uuid
   returning session_id`,
  { guardedBy: 'a session ends once' },
);

export const deleteOtherSessions = statement<
  { readonly personId: string; readonly sessionId: string },
  { readonly session_id: string }
>(
  'person_session_delete_others',
  sql('personId', 'sessionId')`
   delete from person_session where person_id = :personId and session_id <> :sessionId::uuid
   returning session_id`,
  { guardedBy: 'a session ends once' },
);

export const deleteSessionsOf = statement<
  { readonly email: string },
  { readonly is_known: boolean; readonly ended: number }
>(
  'person_session_delete_all',
  sql('email')`
   with known as materialized (select person_id from person where email = :email),
   gone as (
     delete from person_session s using known where s.person_id = known.person_id returning 1)
   select exists (select from known) as is_known, (select count(*)::int from gone) as ended`,
  { guardedBy: 'a session ends once' },
);

/** Whose it was does not matter: another sign-in in the same browser replaces it. */
export const deleteSessionByToken = statement<{ readonly tokenSha256: Buffer }, never>(
  'person_session_delete_by_token',
  sql('tokenSha256')`delete from person_session where token_sha256 = :tokenSha256`,
  { guardedBy: 'a session ends once' },
);

export const confirmSession = statement<
  { readonly sessionId: string; readonly now: Date },
  { readonly authenticated_at: Date }
>(
  'person_session_confirm',
  sql('sessionId', 'now')`
   update person_session set authenticated_at = greatest(authenticated_at, :now)
   where session_id = :sessionId::uuid returning authenticated_at`,
  { guardedBy: 'greatest: of two confirmations the later stays' },
);

/** Sessions, and verifications of the sign-in library, that have ended. */
export const pruneSessions = statement<
  { readonly limit: number; readonly inviteDays: number },
  { readonly pruned: bigint }
>(
  'person_session_prune',
  sql('limit', 'inviteDays')`
   with ended as materialized (
     select session_id from person_session where expires_at < now() order by expires_at limit :limit),
   gone as (
     delete from person_session s using ended where s.session_id = ended.session_id returning 1),
   stale as materialized (
     select verification_id from person_verification
     where expires_at < now() order by expires_at limit :limit),
   unverified as (
     delete from person_verification v using stale where v.verification_id = stale.verification_id
     returning 1),
   ended_invite as materialized (
     select merchant_id, invite_id from invite
     where coalesce(accepted_at, expires_at) < now() - :inviteDays::int * interval '1 day'
     order by coalesce(accepted_at, expires_at) limit :limit),
   forgotten as (
     delete from invite i using ended_invite o
     where i.merchant_id = o.merchant_id and i.invite_id = o.invite_id returning 1)
   select (select count(*) from gone) + (select count(*) from unverified)
     + (select count(*) from forgotten) as pruned`,
  { guardedBy: 'what has ended never begins again; a repeat finds nothing' },
);
