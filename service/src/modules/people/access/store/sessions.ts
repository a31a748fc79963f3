import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type SessionRow = {
  readonly session_id: string;
  readonly authenticated_at: Date;
  readonly person_id: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly two_factor_enabled: boolean;
  readonly is_operator: boolean;
};

/** Nothing is cached, so that a revoked session is refused at once by every process. */
export const findSession = statement<
  { readonly tokenSha256: Buffer; readonly now: Date },
  SessionRow
>(
  'person_session_find',
  sql('tokenSha256', 'now')`
   select s.session_id, s.authenticated_at, p.person_id, p.name, p.email, p.email_verified,
     p.two_factor_enabled, p.is_operator
   from person_session s join person p on p.person_id = s.person_id
   where s.token_sha256 = :tokenSha256 and s.expires_at > :now`,
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
     authenticated_at, address, user_agent)
   values (:sessionId, :personId, :tokenSha256, :expiresAt, :now, :now, :address, :userAgent)`,
  { guardedBy: 'primary key and unique digest' },
);
