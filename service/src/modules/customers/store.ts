import type { BodyOf, customerReply, updateCustomer } from '@florin/contract';
import type { Static } from 'typebox';
import type { Tenant } from '#kernel/environment.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql, value } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Customer = Static<typeof customerReply>;

export type CustomerRow = RowOf<Omit<Customer, 'id' | 'vatNumber'>, 'createdAt'> & {
  readonly customer_id: string;
  readonly vat_number: string | null;
};

type CustomerKey = Tenant & { readonly customerId: string };

type Given = Required<NonNullable<BodyOf<typeof updateCustomer>>>;

export type CustomerValues = { readonly [Name in keyof Given]: Given[Name] | null };

const columns = `customer_id, full_name, email, type, phone_country_code, phone_number, address,
  city, postcode, vat_number, created_at`;

// A row under this id is this very request, run before: it is answered as it was.
export const insertCustomer = statement<CustomerKey & CustomerValues, CustomerRow>(
  'customer_insert',
  sql(
    'merchantId',
    'environment',
    'customerId',
    'fullName',
    'email',
    'type',
    'phoneCountryCode',
    'phoneNumber',
    'address',
    'city',
    'postcode',
    'vatNumber',
  )`
   with made as (
     insert into customer (merchant_id, environment, customer_id, full_name, email, type,
       phone_country_code, phone_number, address, city, postcode, vat_number, created_at,
       updated_at)
     select :merchantId, :environment, :customerId, :fullName, :email,
       coalesce(:type, 'INDIVIDUAL'), :phoneCountryCode, :phoneNumber, :address, :city, :postcode,
       :vatNumber, t.instant, t.instant
     from (select business_now(:merchantId, :environment) as instant) t
     on conflict (merchant_id, environment, customer_id) do nothing
     returning ${columns}
   )
   select ${columns} from made
   union all
   select ${columns} from customer
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId`,
  {
    guardedBy:
      'primary key: a repeat under the same id inserts nothing and reads the first; unique e-mail',
  },
);

export const readCustomer = statement<CustomerKey, CustomerRow>(
  'customer_read',
  sql('merchantId', 'environment', 'customerId')`
   select ${columns} from customer
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId`,
);

const unlessSet = <const Name extends string>(column: string, name: Name, type: string) =>
  sql('given')`
   ${column} = case when '${name}' = any (:given::text[])
    then ${value(name)}::${type} else c.${column} end`;

export const updateCustomerRow = statement<
  CustomerKey & CustomerValues & { readonly given: readonly string[] },
  CustomerRow
>(
  'customer_update',
  sql('merchantId', 'environment', 'customerId')`
   update customer c set
     ${unlessSet('full_name', 'fullName', 'text')},
     ${unlessSet('email', 'email', 'text')},
     ${unlessSet('type', 'type', 'text')},
     ${unlessSet('phone_country_code', 'phoneCountryCode', 'text')},
     ${unlessSet('phone_number', 'phoneNumber', 'text')},
     ${unlessSet('address', 'address', 'text')},
     ${unlessSet('city', 'city', 'text')},
     ${unlessSet('postcode', 'postcode', 'text')},
     ${unlessSet('vat_number', 'vatNumber', 'text')},
     updated_at = business_now(:merchantId, :environment)
   where merchant_id = :merchantId and environment = :environment and customer_id = :customerId
   returning ${columns}`,
  { guardedBy: 'one row, only the given fields; unique e-mail' },
);

/**
 * The end of a statement that removes a customer with what hangs on it, after other parts of its `with`:
 * what payments say about the person is erased by a job.
 */
export const removeCustomerSql = sql('merchantId', 'environment', 'customerId')`
   , removed as (
     delete from customer
     where merchant_id = :merchantId and environment = :environment and customer_id = :customerId
     returning merchant_id, environment, customer_id),
   erasure as (
     insert into erasure (merchant_id, environment, customer_id)
     select merchant_id, environment, customer_id from removed)
   select customer_id from removed`;

const isFound = sql('merchantId', 'environment', 'pattern')`
   merchant_id = :merchantId and environment = :environment
  and (:pattern::text is null or full_name ilike :pattern or email ilike :pattern
    or phone_number like :pattern)`;

/** One row more than there are customers, so that an empty page still has the total. */
export const listCustomerRows = statement<
  Tenant & {
    readonly pattern: string | null;
    readonly limit: number;
    readonly skipped: number;
  },
  { total: bigint } & (CustomerRow | { readonly customer_id: null })
>(
  'customer_list',
  sql('limit', 'skipped')`
   select n.total, c.* from
     (select count(*) as total from customer where ${isFound}) n
   left join lateral (select ${columns} from customer where ${isFound}
      order by created_at desc, customer_id limit :limit offset :skipped) c on true`,
);
