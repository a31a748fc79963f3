import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { stuckRows } from '#platform/database/stuck-rows.ts';
import { isRead } from './refreshes.ts';

export type ClaimedRemoval = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly authorisation_id: string;
  readonly failures: number;
};

const isFree = '(removal_leased_until is null or removal_leased_until < statement_timestamp())';

export const removalDueAt = earliestDue({
  at: 'removal_due_at',
  from: 'bank_authorisation',
  and: isFree,
});

export const claimRemovals = statement<
  { readonly limit: number; readonly leaseMs: number },
  ClaimedRemoval
>(
  'bank_removal_claim',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select merchant_id, environment, authorisation_id from bank_authorisation
     where ${ofShare()} and removal_due_at <= statement_timestamp()
       and ${isFree}
     order by removal_due_at limit :limit for update skip locked`)})
   update bank_authorisation a set
     removal_leased_until = statement_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where a.merchant_id = due.merchant_id and a.environment = due.environment
     and a.authorisation_id = due.authorisation_id
   returning a.merchant_id, a.environment, a.authorisation_id, a.removal_failures as failures`,
  { guardedBy: 'lease and skip locked: one worker at a time' },
);

type Key = Tenant & { readonly authorisationId: string };
type Accounts = Key & { readonly accountIds: readonly string[] };

const isOrphan = sql('merchantId', 'environment')`
   b.merchant_id = :merchantId and b.environment = :environment and not exists (
       select from bank_account_link l
       join bank_authorisation a on a.merchant_id = :merchantId and a.environment = :environment
         and a.authorisation_id = l.authorisation_id
       where l.merchant_id = :merchantId and l.environment = :environment
         and l.account_id = b.account_id and a.ended_at is null)`;

/** Before anything of them is removed: who links one of them again reads its whole history. */
export const markLeaving = statement<Accounts, never>(
  'bank_removal_mark',
  sql('accountIds')`
   update bank_account b set is_leaving = true, changes_from = null, refreshed_at = null
   where b.account_id = any (:accountIds::uuid[]) and ${isOrphan}`,
  { guardedBy: 'no living authorisation shows it; a new link takes the mark away' },
);

/** Of these accounts those that no living authorisation shows, some rows at a time. */
export const removeTransactions = statement<
  Accounts & { readonly limit: number },
  { readonly removed: number }
>(
  'bank_removal_transactions',
  sql('merchantId', 'environment', 'accountIds', 'limit')`
   with orphan as materialized (
     select b.account_id from bank_account b
     where b.account_id = any (:accountIds::uuid[]) and b.is_leaving and ${isOrphan}
     order by b.account_id for update of b),
   chosen as materialized (
     select t.account_id, t.transaction_id from orphan
     join bank_transaction t on t.merchant_id = :merchantId and t.environment = :environment
       and t.account_id = orphan.account_id
     limit :limit::int),
   removed as (
     delete from bank_transaction t using chosen c
     where t.merchant_id = :merchantId and t.environment = :environment
       and t.account_id = c.account_id and t.transaction_id = c.transaction_id returning 1)
   select count(*)::int as removed from removed`,
  {
    guardedBy:
      'the mark of the locked account, which a link that commits first takes away; a repeat removes ' +
      'the rest',
  },
);

export const removeLinks = statement<Key, never>(
  'bank_removal_links',
  sql('merchantId', 'environment', 'authorisationId')`
   delete from bank_account_link l
   where l.merchant_id = :merchantId and l.environment = :environment
     and l.authorisation_id = :authorisationId::uuid`,
  { guardedBy: 'a repeat removes nothing' },
);

/** One that is linked again at this moment keeps its row: the foreign key sees to it. */
export const removeAccounts = statement<Accounts, never>(
  'bank_removal_accounts',
  sql('merchantId', 'environment', 'accountIds')`
   with gone as (
     delete from bank_account b
     where b.merchant_id = :merchantId and b.environment = :environment
       and b.account_id = any (:accountIds::uuid[])
       and not exists (select from bank_account_link l where l.merchant_id = :merchantId
         and l.environment = :environment and l.account_id = b.account_id)
     returning b.account_id)
   delete from bank_transaction_day d using gone
   where d.merchant_id = :merchantId and d.environment = :environment
     and d.account_id = gone.account_id`,
  { guardedBy: 'foreign key of a link' },
);

export const finishRemoval = statement<Key, never>(
  'bank_removal_finish',
  sql('merchantId', 'environment', 'authorisationId')`
   update bank_authorisation set removal_due_at = null, removal_leased_until = null,
     removal_error = null, rail_state_encrypted = null
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :authorisationId::uuid and ended_at is not null`,
  { guardedBy: 'the end of the authorisation; a repeat changes nothing' },
);

export const postponeRemoval = statement<
  Key & { readonly delayMs: number; readonly error: string },
  never
>(
  'bank_removal_postpone',
  sql('merchantId', 'environment', 'authorisationId', 'delayMs', 'error')`
   update bank_authorisation set removal_leased_until = null, removal_error = :error,
     removal_failures = removal_failures + 1,
     removal_due_at = statement_timestamp() + :delayMs::bigint * interval '1 millisecond'
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :authorisationId::uuid and removal_due_at is not null`,
  { guardedBy: 'still to be removed' },
);

/** What the merchant gave to send the customer back may name the person. */
export const forgetWaysBack = statement<
  { readonly earlierByDays: number; readonly limit: number },
  { readonly forgotten: number }
>(
  'bank_removal_forget_ways_back',
  sql('earlierByDays', 'limit')`
   with old as materialized (
     select merchant_id, environment, authorisation_id from bank_authorisation
     where forget_due_at <= statement_timestamp() + :earlierByDays * interval '1 day'
     order by forget_due_at limit :limit),
   forgotten as (
     update bank_authorisation a set redirect_url = '', callback_params = '{}',
       forget_due_at = null
     from old
     where a.merchant_id = old.merchant_id and a.environment = old.environment
       and a.authorisation_id = old.authorisation_id returning 1)
   select count(*)::int as forgotten from forgotten`,
  { guardedBy: 'a repeat changes nothing' },
);

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
    pausedAs: 'READ_ACCOUNTS',
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
    ...{ attempts: 'w.removal_failures', lastError: 'w.removal_error', longestPause: '6 hours' },
  }),
];

type StuckLink = Tenant & { readonly workId: string };
type Hurried = { readonly authorisation_id: string };

export const hurryReading = statement<StuckLink, Hurried>(
  'bank_refresh_hurry_failing',
  sql('merchantId', 'environment', 'workId')`
   update bank_authorisation set refresh_due_at = least(refresh_due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :workId::uuid and status = 'LINKED' and refresh_due_at is not null
   returning authorisation_id`,
  { guardedBy: 'a due time that is only made earlier; a lease is left alone' },
);

export const hurryRemoval = statement<StuckLink, Hurried>(
  'bank_removal_hurry',
  sql('merchantId', 'environment', 'workId')`
   update bank_authorisation set removal_due_at = least(removal_due_at, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :workId::uuid and removal_due_at is not null
   returning authorisation_id`,
  { guardedBy: 'a due time that is only made earlier; a lease is left alone' },
);
