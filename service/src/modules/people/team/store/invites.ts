import type { Role } from '@florin/contract/dashboard/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type NewInviteRow = {
  readonly merchantId: string;
  readonly inviteId: string;
  readonly email: string;
  readonly role: Role;
  readonly inProduction: boolean;
  readonly tokenSha256: Buffer;
  readonly expiresAt: Date;
};

export const insertInvite = statement<NewInviteRow, never>(
  'invite_insert',
  sql('merchantId', 'inviteId', 'email', 'role', 'inProduction', 'tokenSha256', 'expiresAt')`
   insert into invite (merchant_id, invite_id, email, role, in_production, token_sha256, expires_at)
   values (:merchantId, :inviteId, :email, :role, :inProduction, :tokenSha256, :expiresAt)`,
  { guardedBy: 'primary key' },
);

export type InviteRow = {
  readonly invite_id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: Date;
};

export const listInvites = statement<
  { readonly merchantId: string; readonly now: Date; readonly limit: number },
  InviteRow
>(
  'invite_list',
  sql('merchantId', 'now', 'limit')`
   select invite_id, email, role, expires_at from invite
   where merchant_id = :merchantId and accepted_at is null and expires_at > :now
   order by created_at desc limit :limit`,
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
  sql('tokenSha256', 'now')`
   select m.business_name, i.email, i.role,
     exists (select from person p where p.email = i.email) as is_known
   from invite i join merchant m on m.merchant_id = i.merchant_id
   where i.token_sha256 = :tokenSha256 and i.accepted_at is null and i.expires_at > :now`,
);

/** Who is a member already keeps the role. */
export const takeInvite = statement<
  ByToken & { readonly personId: string },
  { readonly merchant_id: string }
>(
  'invite_take',
  sql('tokenSha256', 'now', 'personId')`
   with taken as (
     update invite i set accepted_at = :now
     from person p
     where i.token_sha256 = :tokenSha256 and i.accepted_at is null and i.expires_at > :now
       and p.person_id = :personId::uuid and p.email = i.email
     returning i.merchant_id, i.role, i.in_production
   ), joined as (
     insert into membership (merchant_id, person_id, role, in_production)
     select merchant_id, :personId::uuid, role, in_production from taken
     on conflict (merchant_id, person_id) do nothing)
   select merchant_id from taken`,
  { guardedBy: 'accepted_at: an invite is taken once, with its membership' },
);
