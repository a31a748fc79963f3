import { type Fragment, sql } from '#platform/database/sql.ts';

/**
 * Whether a business may mail an address. One that signed itself up, and of which nobody has proven an
 * address, mails its own people in the sandbox, and nobody else: it could be anybody's.
 */
export const mayMailSql = <const Name extends string = never>(address: string | Fragment<Name>) =>
  sql('merchantId', 'environment')`
   (:environment <> 'SANDBOX'
     or not exists (select from membership m where m.merchant_id = :merchantId::uuid)
     or exists (select from membership m join person p on p.person_id = m.person_id
       where m.merchant_id = :merchantId::uuid and (p.email_verified or p.email = ${address})))`;
