import { limits } from '@florin/contract';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { LinkPurpose } from '../queue-link-mail.ts';

/**
 * Counts a mail of a kind, unless as many as allowed were counted until the window ends: then no row. The
 * upsert locks the count, so that mails at the same time are all counted.
 */
export const allowanceSql = (
  subject: string,
  from: string,
  limit: number,
): Fragment<'kind' | 'windowEndsAt' | 'now'> =>
  sql('kind', 'windowEndsAt', 'now')`
     insert into mail_allowance as known (subject, kind, mail_count, window_ends_at)
     select ${subject}, :kind::text, 1, :windowEndsAt::timestamptz from ${from}
     on conflict (subject, kind) do update set
       mail_count = case when known.window_ends_at <= :now::timestamptz
         then 1 else known.mail_count + 1 end,
       window_ends_at = case when known.window_ends_at <= :now::timestamptz
         then excluded.window_ends_at else known.window_ends_at end
     where known.window_ends_at <= :now::timestamptz or known.mail_count < ${limit}
     returning subject`;

type NewLinkRow = {
  readonly mailId: string;
  readonly email: string;
  readonly kind: LinkPurpose;
  readonly tokenSha256: Buffer;
  readonly expiresAt: Date;
  readonly windowEndsAt: Date;
  readonly now: Date;
};

/** The link and its mail. No row: no person has the address, or it got as many as allowed. */
export const insertLinkMail = statement<NewLinkRow, { readonly mail_id: string }>(
  'person_link_insert',
  sql('email', 'kind', 'tokenSha256', 'expiresAt', 'mailId')`
   with who as (select person_id, email from person where email = :email::text),
   allowed as (${allowanceSql('who.email', 'who', limits.linkMailsPerHour)}),
   linked as (
     insert into person_link (token_sha256, person_id, purpose, email, expires_at)
     select :tokenSha256::bytea, who.person_id, :kind::text, who.email, :expiresAt::timestamptz
     from who, allowed)
   insert into person_mail (mail_id, person_id, kind, recipient, expires_at)
   select :mailId::uuid, who.person_id, :kind::text, who.email, :expiresAt::timestamptz
   from who, allowed
   returning mail_id`,
  { guardedBy: 'mail_allowance row is locked by the upsert: never more than the limit' },
);

type ByToken = { readonly tokenSha256: Buffer; readonly now: Date };

export const findLink = statement<
  ByToken & { readonly kind: LinkPurpose },
  { readonly person_id: string }
>(
  'person_link_find',
  sql('tokenSha256', 'now', 'kind')`
   select person_id from person_link
   where token_sha256 = :tokenSha256 and purpose = :kind and expires_at > :now`,
);

/** Once. No row: the link was used, has ended, or the person has another address now. */
export const takeVerification = statement<ByToken, { readonly email: string }>(
  'person_link_take_verification',
  sql('tokenSha256', 'now')`
   with taken as (
     delete from person_link
     where token_sha256 = :tokenSha256 and purpose = 'VERIFY_EMAIL' and expires_at > :now
     returning person_id, email)
   update person p set email_verified = true, updated_at = clock_timestamp()
   from taken where p.person_id = taken.person_id and p.email = taken.email
   returning p.email`,
  { guardedBy: 'the link is deleted by the one that takes it' },
);

/**
 * The new password, and the end of every session and of every other link for one. The reader of the mail owns
 * the address: where it was not proven before, somebody else may have signed up with it, so what they set
 * up beside the password ends too. The person is locked first, so that of two links one is taken.
 */
export const takeNewPassword = statement<
  ByToken & { readonly passwordHash: string; readonly credentialId: string },
  { readonly email: string }
>(
  'person_link_take_password',
  sql('tokenSha256', 'now', 'passwordHash', 'credentialId')`
   with who as materialized (
     select p.person_id, p.email, p.email_verified from person_link l
     join person p on p.person_id = l.person_id and p.email = l.email
     where l.token_sha256 = :tokenSha256 and l.purpose = 'NEW_PASSWORD' and l.expires_at > :now
     for update of p
   ), gone as (
     delete from person_link l using who
     where l.person_id = who.person_id and l.purpose = 'NEW_PASSWORD'
     returning l.token_sha256
   ), taken as materialized (
     select person_id, email, email_verified from who
     where exists (select from gone where gone.token_sha256 = :tokenSha256)
   ), stored as (
     insert into person_credential as c (credential_id, person_id, provider, account, password_hash)
     select :credentialId::uuid, person_id, 'credential', person_id::text, :passwordHash::text
     from taken
     on conflict (person_id, provider) do update set password_hash = excluded.password_hash,
       updated_at = clock_timestamp()
   ), ended as (
     delete from person_session s using taken where s.person_id = taken.person_id
   ), passkeys as (
     delete from person_passkey k using taken
     where k.person_id = taken.person_id and not taken.email_verified
   ), apps as (
     delete from person_two_factor f using taken
     where f.person_id = taken.person_id and not taken.email_verified
   )
   update person p set email_verified = true, updated_at = clock_timestamp(),
     two_factor_enabled = p.two_factor_enabled and taken.email_verified
   from taken where p.person_id = taken.person_id
   returning p.email`,
  { guardedBy: 'the lock on the person; the link is deleted by the one that takes it' },
);
