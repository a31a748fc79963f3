import type { Tenant } from '#kernel/environment.ts';
import { sql } from '../../database/sql.ts';
import { statement } from '../../database/statement.ts';

type Lease = Tenant & {
  readonly secretId: string;
  readonly windowSecond: number;
  readonly requests: number;
};

/** One row for all programs. A clock that is behind counts in the newer second. */
export const leaseRequests = statement<Lease, { readonly used: number }>(
  'rate_lease_requests',
  sql('merchantId', 'environment', 'secretId', 'windowSecond', 'requests')`
   insert into rate_window as w (merchant_id, environment, secret_id, window_second, used)
   values (:merchantId, :environment, :secretId::uuid, :windowSecond::bigint, :requests::int)
   on conflict (merchant_id, environment, secret_id) do update
     set used = excluded.used
         + case when w.window_second >= excluded.window_second then w.used else 0 end,
       window_second = greatest(w.window_second, excluded.window_second)
   returning used`,
  { guardedBy: 'a counter that only grows within its second' },
);
