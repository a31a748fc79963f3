import type { Role } from '@florin/contract/dashboard/index.ts';
import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type MembershipRow = {
  readonly merchant_id: string;
  readonly business_name: string;
  readonly role: Role;
  readonly in_production: boolean;
  readonly suspensions: readonly SuspensionOfMember[] | null;
};

/** As JSON has it. */
type SuspensionOfMember = {
  readonly environment: Environment;
  readonly reason: string;
  readonly suspendedAt: string;
};

/** The oldest first: the dashboard opens with it. */
export const listMembershipsOf = statement<{ readonly personId: string }, MembershipRow>(
  'membership_list_of_person',
  sql('personId')`
   select m.merchant_id, b.business_name, m.role, m.in_production,
     (select jsonb_agg(jsonb_build_object('environment', s.environment, 'reason', s.reason,
         'suspendedAt', s.suspended_at) order by s.environment desc)
       from merchant_suspension s
       where s.merchant_id = m.merchant_id and s.resumed_at is null) as suspensions
   from membership m join merchant b on b.merchant_id = m.merchant_id
   where m.person_id = :personId order by m.created_at, m.merchant_id`,
);

export const findMembership = statement<
  { readonly merchantId: string; readonly personId: string },
  {
    readonly role: Role;
    readonly in_production: boolean;
    readonly business_in_production: boolean;
  }
>(
  'membership_find',
  sql('merchantId', 'personId')`
   select role, in_production,
     exists (select from membership
       where merchant_id = :merchantId and in_production) as business_in_production
   from membership
   where merchant_id = :merchantId and person_id = :personId`,
);

export type NewMembershipRow = {
  readonly merchantId: string;
  readonly personId: string;
  readonly role: Role;
  readonly inProduction: boolean;
};

export const insertMembership = statement<NewMembershipRow, never>(
  'membership_insert',
  sql('merchantId', 'personId', 'role', 'inProduction')`
   insert into membership (merchant_id, person_id, role, in_production)
   values (:merchantId, :personId, :role, :inProduction)
   on conflict (merchant_id, person_id) do nothing`,
  { guardedBy: 'primary key: a repeat changes nothing' },
);
