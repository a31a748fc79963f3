import { limits, type ReplyOf } from '@florin/contract';
import type { listTeam, Role } from '@florin/contract/dashboard/index.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { allowanceSql } from '../mails/store/links.ts';

type WrittenInvite = {
  readonly merchantId: string;
  readonly inviteId: string;
  readonly tokenSha256: Buffer;
  readonly mailedTokenSha256: Buffer;
  readonly expiresAt: Date;
  /** Null: it is not mailed. */
  readonly mailId: string | null;
  readonly invitedBy: string | null;
  readonly kind: 'INVITE';
  readonly windowEndsAt: Date;
  readonly now: Date;
};

type NewInviteRow = WrittenInvite & {
  readonly email: string;
  readonly role: Role;
  readonly inProduction: boolean;
};

type InviteWritten = {
  readonly email: string;
  readonly role: Role;
  readonly is_mailed: boolean;
};

// After "counted" and "written". A mail that the address may not get any more is not written.
const mailSql = sql('mailId', 'expiresAt', 'invitedBy')`
   of_address as (${allowanceSql('written.email', 'written', limits.inviteMailsPerDay)}),
   mailed as (
     insert into person_mail (mail_id, kind, recipient, detail, expires_at)
     select :mailId::uuid, 'INVITE', w.email, jsonb_build_object('businessName', m.business_name,
       'role', w.role, 'inviterName', p.name), :expiresAt::timestamptz
     from written w join merchant m on m.merchant_id = w.merchant_id
     join person p on p.person_id = :invitedBy::uuid
     where :mailId::uuid is not null and exists (select from of_address)
     returning 1)
   select w.email, w.role, exists (select from mailed) as is_mailed from written w`;

const countedSql = sql('merchantId')`
   wanted as (select :merchantId::uuid as merchant_id),
   counted as (${allowanceSql('wanted.merchant_id::text', 'wanted', limits.invitesPerDay)})`;

/** No row: the merchant has made as many as a day allows. */
export const insertInvite = statement<NewInviteRow, InviteWritten>(
  'invite_insert',
  sql(
    ...(['merchantId', 'inviteId', 'email', 'role', 'inProduction', 'tokenSha256'] as const),
    ...(['mailedTokenSha256', 'expiresAt'] as const),
  )`
   with ${countedSql},
   written as (
     insert into invite (merchant_id, invite_id, email, role, in_production, token_sha256,
       mailed_token_sha256, expires_at)
     select :merchantId::uuid, :inviteId::uuid, :email::text, :role::text, :inProduction::boolean,
       :tokenSha256::bytea, :mailedTokenSha256::bytea, :expiresAt::timestamptz from counted
     returning merchant_id, email, role),
   ${mailSql}`,
  { guardedBy: 'primary key; mail_allowance rows are locked by their upsert' },
);

/** The same invite with other links, for another while. No row: it is not open, or a day allows no more. */
export const renewInvite = statement<WrittenInvite, InviteWritten>(
  'invite_renew',
  sql('merchantId', 'inviteId', 'tokenSha256', 'mailedTokenSha256', 'expiresAt')`
   with ${countedSql},
   written as (
     update invite i set token_sha256 = :tokenSha256::bytea,
       mailed_token_sha256 = :mailedTokenSha256::bytea, expires_at = :expiresAt::timestamptz
     from counted
     where i.merchant_id = :merchantId and i.invite_id = :inviteId::uuid and i.accepted_at is null
     returning i.merchant_id, i.email, i.role),
   ${mailSql}`,
  {
    guardedBy: 'an invite that was accepted stays; mail_allowance rows are locked by their upsert',
  },
);

type Team = ReplyOf<typeof listTeam>;
type InviteRow = RowOf<Team['invites'][number], 'expiresAt'> & { readonly total: bigint };

/** Also those that have expired: they can be sent again or withdrawn until they are pruned. */
export const listInvites = statement<
  { readonly merchantId: string; readonly limit: number; readonly skipped: number },
  InviteRow
>(
  'invite_list',
  sql('merchantId', 'limit', 'skipped')`
   select invite_id, email, role, expires_at, count(*) over () as total from invite
   where merchant_id = :merchantId and accepted_at is null
   order by created_at desc, invite_id limit :limit offset :skipped`,
);

export const deleteInvite = statement<
  { readonly merchantId: string; readonly inviteId: string },
  { readonly invite_id: string }
>(
  'invite_delete',
  sql('merchantId', 'inviteId')`
   delete from invite
   where merchant_id = :merchantId and invite_id = :inviteId::uuid and accepted_at is null
   returning invite_id`,
  { guardedBy: 'an invite that was accepted stays' },
);

/** By the link that was copied, or by the one that was mailed. */
const isNamed = sql(
  'tokenSha256',
)`(i.token_sha256 = :tokenSha256 or i.mailed_token_sha256 = :tokenSha256)`;

type ByToken = { readonly tokenSha256: Buffer; readonly now: Date };

export const findInvite = statement<
  ByToken,
  {
    readonly business_name: string;
    readonly email: string;
    readonly role: Role;
    readonly is_known: boolean;
  }
>(
  'invite_find',
  sql('now')`
   select m.business_name, i.email, i.role,
     exists (select from person p where p.email = i.email) as is_known
   from invite i join merchant m on m.merchant_id = i.merchant_id
   where ${isNamed} and i.accepted_at is null and i.expires_at > :now`,
);

/**
 * Who is a member already keeps the role. Who uses the link of the mail has proved the address. The person is
 * locked before the invite, as when a person is deleted.
 */
export const takeInvite = statement<
  ByToken & { readonly personId: string },
  { readonly merchant_id: string; readonly is_mailed: boolean }
>(
  'invite_take',
  sql('tokenSha256', 'now', 'personId')`
   with who as materialized (
     select email from person where person_id = :personId::uuid for update),
   taken as (
     update invite i set accepted_at = :now
     from who
     where ${isNamed} and i.accepted_at is null and i.expires_at > :now and who.email = i.email
     returning i.merchant_id, i.role, i.in_production,
       i.mailed_token_sha256 is not distinct from :tokenSha256 as is_mailed
   ), proven as (
     update person p set email_verified = true, updated_at = clock_timestamp()
     from taken where p.person_id = :personId::uuid and taken.is_mailed and not p.email_verified
   ), joined as (
     insert into membership (merchant_id, person_id, role, in_production)
     select merchant_id, :personId::uuid, role, in_production from taken
     on conflict (merchant_id, person_id) do nothing)
   select merchant_id, is_mailed from taken`,
  {
    guardedBy: 'accepted_at: an invite is taken once, with its membership; the lock on the person',
  },
);

type MemberRow = RowOf<Team['members'][number], 'since'> & { readonly total: bigint };

export const listMembers = statement<
  { readonly merchantId: string; readonly limit: number; readonly skipped: number },
  MemberRow
>(
  'membership_list',
  sql('merchantId', 'limit', 'skipped')`
   select p.person_id, p.name, p.email, m.role, p.two_factor_enabled,
     exists (select from person_passkey k where k.person_id = p.person_id) as has_passkey,
     m.created_at as since,
     count(*) over () as total
   from membership m join person p on p.person_id = m.person_id
   where m.merchant_id = :merchantId
   order by m.created_at desc, p.person_id limit :limit offset :skipped`,
);

// Locked in one order: of two owners who remove each other, the second is then the last one.
const ownersSql = sql('merchantId')`
   owners as materialized (
     select person_id from membership where merchant_id = :merchantId and role = 'owner'
     order by person_id for update)`;

/** No row: there is no such member, or no other owner. */
export const updateRole = statement<
  { readonly merchantId: string; readonly personId: string; readonly role: Role },
  { readonly person_id: string }
>(
  'membership_update_role',
  sql('merchantId', 'personId', 'role')`
   with ${ownersSql}
   update membership set role = :role, updated_at = clock_timestamp()
   where merchant_id = :merchantId and person_id = :personId::uuid
     and (:role = 'owner' or exists (select from owners where person_id <> :personId::uuid))
   returning person_id`,
  { guardedBy: 'the lock on the owners: one of them stays' },
);

/** No row: there is no such member, or no other owner. */
export const deleteMember = statement<
  { readonly merchantId: string; readonly personId: string },
  { readonly person_id: string }
>(
  'membership_delete',
  sql('merchantId', 'personId')`
   with ${ownersSql}
   delete from membership
   where merchant_id = :merchantId and person_id = :personId::uuid
     and exists (select from owners where person_id <> :personId::uuid)
   returning person_id`,
  { guardedBy: 'the lock on the owners: one of them stays' },
);

export const countMembers = statement<
  { readonly merchantId: string },
  { readonly members: number }
>(
  'membership_count',
  sql('merchantId')`
   select count(*)::int as members from membership where merchant_id = :merchantId`,
);

export const updateMembersOfProduction = statement<
  { readonly merchantId: string },
  { readonly person_id: string }
>(
  'membership_update_production',
  sql('merchantId')`
   update membership set in_production = true, updated_at = clock_timestamp()
   where merchant_id = :merchantId and not in_production
   returning person_id`,
  { guardedBy: 'in_production: a repeat changes nothing' },
);
