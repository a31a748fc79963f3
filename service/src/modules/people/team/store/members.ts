import type { Role } from '@florin/contract/dashboard/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type MemberRow = {
  readonly person_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly two_factor_enabled: boolean;
  readonly created_at: Date;
};

export const listMembers = statement<
  { readonly merchantId: string; readonly limit: number },
  MemberRow
>(
  'membership_list',
  sql('merchantId', 'limit')`
   select p.person_id, p.name, p.email, m.role, p.two_factor_enabled, m.created_at
   from membership m join person p on p.person_id = m.person_id
   where m.merchant_id = :merchantId order by m.created_at, p.person_id limit :limit`,
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
