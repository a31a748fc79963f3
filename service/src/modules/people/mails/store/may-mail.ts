import { sql } from '#platform/database/sql.ts';

/**
 * Whether a business may mail `:recipient`. One that signed itself up, and of which nobody has
 * proven an address, mails its own people in the sandbox, and nobody else: it could be anybody's.
 */
export const mayMailSql = sql('merchantId', 'environment', 'recipient')`
   (:environment <> 'SANDBOX'
     or not exists (select from membership m where m.merchant_id = :merchantId::uuid)
     or exists (select from membership m join person p on p.person_id = m.person_id
       where m.merchant_id = :merchantId::uuid and (p.email_verified or p.email = :recipient)))`;
