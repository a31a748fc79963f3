import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';
import { isRead } from './refreshes.ts';

const ofLink = {
  ...{ merchantId: 'w.merchant_id', workId: 'w.authorisation_id' },
  from: 'bank_authorisation w',
} as const;

const lastRefreshedAt = `coalesce((select max(b.refreshed_at) from bank_account_link l
          join bank_account b on b.merchant_id = l.merchant_id and b.environment = l.environment
            and b.account_id = l.account_id
          where l.merchant_id = w.merchant_id and l.environment = w.environment
            and l.authorisation_id = w.authorisation_id), w.linked_at, w.created_at)`;

const refresh = {
  ...{ ...ofLink, kind: 'REFRESH_ACCOUNTS', dueAt: 'w.refresh_due_at' },
  leasedUntil: 'w.refresh_leased_until',
} as const;

/** Bank links that do not end, are not read, or whose data is not deleted. */
export const stuckLinks = [
  stuckRows({
    ...{ ...ofLink, kind: 'END_LINK', dueAt: 'w.due_at', pausedAs: 'END_LINK' },
    where: `w.status <> 'EXCHANGING'`,
  }),
  stuckRows({
    ...{ ...ofLink, kind: 'END_LINK', dueAt: 'w.leased_until', pausedAs: 'END_LINK' },
    where: `w.status = 'EXCHANGING'`,
  }),
  stuckRows({
    ...refresh,
    where: `${isRead('w')} and w.refresh_failures < ${limits.stuckFailures}`,
  }),
  stuckRows({
    ...{
      ...refresh,
      where: `w.status = 'LINKED' and w.refresh_failures >= ${limits.stuckFailures}`,
    },
    ...{ attempts: 'w.refresh_failures', longestPause: '1 day', since: lastRefreshedAt },
  }),
  stuckRows({
    ...{ ...ofLink, kind: 'REMOVE_BANK_DATA', where: 'true', dueAt: 'w.removal_due_at' },
    ...{ since: 'coalesce(w.ended_at, w.removal_due_at)', leasedUntil: 'w.removal_leased_until' },
    ...{ attempts: 'w.removal_failures', longestPause: '6 hours' },
  }),
];

type Key = Tenant & { readonly workId: string };
type Hurried = { readonly authorisation_id: string };

export const hurryReading = statement<Key, Hurried>(
  'bank_refresh_hurry_failing',
  sql('merchantId', 'environment', 'workId')`
   update bank_authorisation set refresh_due_at = least(refresh_due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :workId::uuid and status = 'LINKED' and refresh_due_at is not null
   returning authorisation_id`,
  { guardedBy: 'a due time that is only made earlier; a lease is left alone' },
);

export const hurryRemoval = statement<Key, Hurried>(
  'bank_removal_hurry',
  sql('merchantId', 'environment', 'workId')`
   update bank_authorisation set removal_due_at = least(removal_due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :workId::uuid and removal_due_at is not null
   returning authorisation_id`,
  { guardedBy: 'a due time that is only made earlier; a lease is left alone' },
);
