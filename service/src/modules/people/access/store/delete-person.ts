import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type DeletedPersonRow = {
  readonly person_id: string;
  readonly is_deleted: boolean;
  /** The merchants whose last owner the person is, some of them. */
  readonly owned_alone: readonly string[];
};

/**
 * Sessions, passwords, passkeys, memberships and views go with the person. No row: nobody has the
 * address. Of two owners who are deleted at once the second is then the last one.
 */
export const deletePersonRow = statement<
  { readonly email: string; readonly namedMax: number },
  DeletedPersonRow
>(
  'person_delete',
  sql('email', 'namedMax')`
   with who as materialized (
     select person_id from person where email = :email for update),
   owner as materialized (
     select merchant_id, person_id from membership
     where role = 'owner' and merchant_id in (select m.merchant_id from membership m
       join who w on w.person_id = m.person_id where m.role = 'owner')
     order by merchant_id, person_id for update),
   alone as materialized (
     select o.merchant_id from owner o join who w on w.person_id = o.person_id
     where not exists (select from owner other
       where other.merchant_id = o.merchant_id and other.person_id <> o.person_id)),
   gone as (
     delete from person p using who w
     where p.person_id = w.person_id and not exists (select from alone)
     returning p.person_id),
   invited as (
     delete from invite i using gone where i.email = :email),
   mailed as (
     delete from person_mail m using gone where m.recipient = :email),
   allowed as (
     delete from mail_allowance a using gone where a.subject = :email)
   select w.person_id, exists (select from gone) as is_deleted,
     array(select merchant_id from alone order by merchant_id limit :namedMax::int) as owned_alone
   from who w`,
  { guardedBy: 'the locks on the person and on the owners: one of them stays' },
);
