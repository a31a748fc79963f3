import { type Fragment, sql } from './sql.ts';

/**
 * Tenants with work, by a condition on `merchant_switch w`. The list begins at another one each time
 * (`:from`, an id of chance) and goes round, so that many whose work fails keep no other waiting.
 */
export const tenantsFromAnywhere = <Name extends string>(
  hasWork: Fragment<Name> | string,
): Fragment<Name | 'from' | 'limit'> => {
  const lap = (at: 0 | 1, part: '>=' | '<') => sql('from', 'limit')`
     (select ${at} as lap, w.merchant_id, w.environment from merchant_switch w
     where w.merchant_id ${part} :from::uuid and ${hasWork}
     order by w.merchant_id, w.environment limit :limit)`;
  return sql('limit')`
   select t.merchant_id, t.environment
   from (${lap(0, '>=')} union all ${lap(1, '<')}) t
   order by t.lap, t.merchant_id, t.environment limit :limit` as Fragment<Name | 'from' | 'limit'>;
};
