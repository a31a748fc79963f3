import { type Fragment, sql } from '#platform/database/sql.ts';

/** Until a member chooses another. */
export const failingHoursDefault = 24;

/**
 * `reader`: the members who want what the rows of `from` are about, and may know it. These rows have
 * merchant_id, environment, kind and detail; `more` names further columns that are passed on. An address
 * that is not proven gets nothing about a business.
 */
export const readersSql = (
  from: string,
  more: readonly string[] = [],
): Fragment<'roles' | 'defaults'> =>
  sql('roles', 'defaults')`
   reader as materialized (
     select p.person_id, p.email, d.kind, d.merchant_id, d.environment,
       d.detail || jsonb_build_object('merchantId', d.merchant_id,
         'environment', lower(d.environment), 'businessName', b.business_name) as detail,
       coalesce(s.failing_hours, ${failingHoursDefault}) as failing_hours
       ${more.map((column) => `, d.${column}`).join('')}
     from ${from} d
     join membership m on m.merchant_id = d.merchant_id
     join person p on p.person_id = m.person_id and p.email_verified
     join merchant b on b.merchant_id = d.merchant_id
     left join member_notification s on s.merchant_id = d.merchant_id
       and s.environment = d.environment and s.person_id = m.person_id
     where (d.environment = 'SANDBOX' or m.in_production)
       and jsonb_exists(:roles::jsonb -> d.kind, m.role)
       and case when s.person_id is null
         then d.environment = 'PRODUCTION' and d.kind = any (:defaults::text[])
         else d.kind = any (s.kinds) end)`;

/** Mails to rows of `reader`, as `from` names them. */
export const memberMailsSql = (from: string): Fragment<'expiresAt'> =>
  sql('expiresAt')`
   mailed as (
     insert into person_mail (person_id, kind, recipient, detail, expires_at)
     select r.person_id, r.kind, r.email, r.detail, :expiresAt::timestamptz from ${from}
     returning 1)`;
