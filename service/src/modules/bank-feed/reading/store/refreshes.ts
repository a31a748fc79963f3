import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';
import type { AuthorisationStatus } from '../../authorisations/authorisation.ts';

export type ClaimedRefresh = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly authorisation_id: string;
  /** Of all claims of this authorisation: an older worker stores nothing any more. */
  readonly claim: number;
  readonly bank: string;
};

const maxRead = 1_000;
const bankOf = (alias: string) => `${alias}.environment || ' ' || ${alias}.institution_id`;
export const isRead = (
  alias: string,
) => `${alias}.status = 'LINKED' and ${alias}.due_at > statement_timestamp()
       and (${alias}.refresh_leased_until is null
         or ${alias}.refresh_leased_until < statement_timestamp())`;
const isNotPaused = (alias: string) => isNotPutOff(alias, 'authorisation_id', 'READ_ACCOUNTS');
const isFree = (alias: string) =>
  `${alias}.refresh_due_at <= statement_timestamp() and ${isRead(alias)}
       and ${isNotPaused(alias)}`;

export const refreshDueAt = earliestDue({
  at: 'w.refresh_due_at',
  from: 'bank_authorisation w',
  and: `${isRead('w')} and ${isNotPaused('w')}`,
});

/** Banks that are called as much as they may be are left out: their backlog delays no other bank. */
export const claimRefreshes = statement<
  {
    readonly limit: number;
    readonly maxPerBank: number;
    readonly leaseMs: number;
    readonly banks: readonly string[];
    readonly running: readonly number[];
  },
  ClaimedRefresh
>(
  'bank_refresh_claim',
  sql('leaseMs', 'banks', 'running')`
   with busy as (select * from unnest(:banks::text[], :running::int[]) as b (bank, running)),
   waiting as materialized (${ofEachEnvironment(sql('maxPerBank')`
     select w.merchant_id, w.environment, w.authorisation_id, w.refresh_due_at,
       ${bankOf('w')} as bank
     from bank_authorisation w
     where ${ofShare('w')} and ${isFree('w')}
       and not exists (select from busy where busy.bank = ${bankOf('w')}
       and busy.running >= :maxPerBank)
     order by w.refresh_due_at limit ${maxRead}`)}),
   placed as materialized (
     select waiting.*, row_number() over (partition by waiting.bank order by refresh_due_at)
       + coalesce(busy.running, 0) as position
     from waiting left join busy on busy.bank = waiting.bank),
   due as materialized (${ofEachEnvironment(sql('maxPerBank', 'limit')`
     select f.merchant_id, f.environment, f.authorisation_id
     from placed p join bank_authorisation f on f.merchant_id = p.merchant_id
       and f.environment = p.environment and f.authorisation_id = p.authorisation_id
     where ${ofShare('p')} and p.position <= :maxPerBank and ${isFree('f')}
     order by p.refresh_due_at limit :limit for update of f skip locked`)})
   update bank_authorisation a set refresh_claims = a.refresh_claims + 1,
     refresh_leased_until = statement_timestamp() + :leaseMs * interval '1 millisecond'
   from due
   where a.merchant_id = due.merchant_id and a.environment = due.environment
     and a.authorisation_id = due.authorisation_id
   returning a.merchant_id, a.environment, a.authorisation_id, a.refresh_claims as claim,
     ${bankOf('a')} as bank`,
  { guardedBy: 'lease and skip locked: one worker at a time reads an authorisation' },
);

const hintDueAt = `greatest(statement_timestamp(), a.hinted_at
     + interval '${limits.bankEventSpacingOfAccountsSeconds} seconds')`;

type Key = Tenant & { readonly authorisationId: string };

/** The same for one authorisation, where a caller waits for it. */
export const claimRefresh = statement<Key & { readonly leaseMs: number }, ClaimedRefresh>(
  'bank_refresh_claim_one',
  sql('merchantId', 'environment', 'authorisationId', 'leaseMs')`
   update bank_authorisation a set refresh_claims = a.refresh_claims + 1,
     refresh_leased_until = statement_timestamp() + :leaseMs::int * interval '1 millisecond'
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.authorisation_id = :authorisationId::uuid and ${isFree('a')}
   returning a.merchant_id, a.environment, a.authorisation_id, a.refresh_claims as claim,
     ${bankOf('a')} as bank`,
  { guardedBy: 'its lease' },
);

export type Claim = Key & { readonly claim: number };

/** The worker still holds its claim, and accounts may still be read. */
export const isHeld = sql('merchantId', 'environment', 'authorisationId', 'claim')`
  merchant_id = :merchantId and environment = :environment
     and authorisation_id = :authorisationId::uuid and refresh_claims = :claim::int
     and status = 'LINKED'`;
const guardedBy = 'the claim: only the newest one of an authorisation stores anything';

export const storeTokens = statement<
  Claim & { readonly railStateEncrypted: Buffer; readonly accessEndsAt: Date },
  { readonly authorisation_id: string }
>(
  'bank_refresh_store_tokens',
  sql('railStateEncrypted', 'accessEndsAt')`
   update bank_authorisation set rail_state_encrypted = :railStateEncrypted,
     access_ends_at = :accessEndsAt::timestamptz
   where ${isHeld} returning authorisation_id`,
  { guardedBy },
);

/**
 * The end of a refresh: the next is due then, or never where accounts do not change; sooner if the
 * bank has said meanwhile that something changed.
 */
export const finishRefresh = statement<
  Claim & {
    readonly nextInMs: number | null;
    readonly isFailed: boolean;
    readonly wasDueAt: string | null;
  },
  never
>(
  'bank_refresh_finish',
  sql('nextInMs', 'isFailed', 'wasDueAt')`
   update bank_authorisation set refresh_leased_until = null,
     refresh_due_at = case when refresh_due_at is distinct from :wasDueAt::timestamptz
       then refresh_due_at
       else statement_timestamp() + :nextInMs::bigint * interval '1 millisecond' end,
     refresh_failures = case when :isFailed::boolean then refresh_failures + 1 else 0 end
   where ${isHeld}`,
  { guardedBy },
);

/** A reader waits: due now, unless the bank has just failed. */
export const requestRefresh = statement<Key, never>(
  'bank_refresh_request',
  sql('merchantId', 'environment', 'authorisationId')`
   update bank_authorisation set refresh_due_at = statement_timestamp()
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :authorisationId::uuid and status = 'LINKED'
     and refresh_due_at > statement_timestamp() and refresh_failures = 0`,
  { guardedBy: 'a due time that is only made earlier' },
);

/**
 * The bank says that something of this consent has changed: due now, or a while after it last said
 * so. A reading that runs meanwhile leaves it due: that time is another then, but hardly a later one,
 * however often the bank says so.
 */
export const refreshSoon = statement<
  {
    readonly environment: Environment;
    readonly institutionId: string;
    readonly reference: string;
  },
  never
>(
  'bank_refresh_hurry',
  sql('environment', 'institutionId', 'reference')`
   with named as materialized (
     select a.merchant_id, a.environment, a.authorisation_id,
       least(${hintDueAt}, case when a.refresh_due_at > statement_timestamp()
         then a.refresh_due_at + interval '1 millisecond' end) as due_at
     from bank_authorisation a
     where a.environment = :environment and a.institution_id = :institutionId
       and a.consent_reference = :reference and a.status = 'LINKED'
     for update)
   update bank_authorisation a set refresh_due_at = n.due_at, hinted_at = n.due_at
   from named n
   where a.merchant_id = n.merchant_id and a.environment = n.environment
     and a.authorisation_id = n.authorisation_id and a.status = 'LINKED'
     and (a.refresh_due_at > n.due_at or a.refresh_leased_until > statement_timestamp())`,
  { guardedBy: 'a due time that is only made earlier' },
);

type ReadingRow = {
  readonly access_ends_at: Date | null;
  readonly refresh_failures: number;
  /** As the database prints it: a time here has fewer digits. */
  readonly due_at: string | null;
};

export const readReading = statement<Key, ReadingRow>(
  'bank_refresh_read',
  sql('merchantId', 'environment', 'authorisationId')`
   select access_ends_at, refresh_failures, refresh_due_at::text as due_at
   from bank_authorisation
   where merchant_id = :merchantId and environment = :environment
     and authorisation_id = :authorisationId::uuid`,
);

export type AccountAccess = {
  readonly account_id: string;
  readonly institution_id: string;
  readonly bank_name: string;
  readonly sort_code: string | null;
  readonly account_number: string | null;
  readonly currency: string;
  readonly balance: number | null;
  readonly balance_currency: string | null;
  readonly refreshed_at: Date | null;
  /** When its bank last refused to show it; null: it has shown it since. */
  readonly refused_at: Date | null;
  /** Of the authorisation under which it is read, or was last. */
  readonly authorisation_id: string;
  readonly status: AuthorisationStatus;
  readonly is_readable: boolean;
  readonly refresh_failures: number;
  readonly real_now: Date;
};

/** An account and the best authorisation that shows it. */
export const readAccountAccess = statement<Tenant & { readonly accountId: string }, AccountAccess>(
  'bank_account_access',
  sql('merchantId', 'environment', 'accountId')`
   select b.account_id, b.institution_id, b.bank_name, b.sort_code, b.account_number, b.currency,
     b.balance::float8 as balance, b.balance_currency, b.refreshed_at, b.refused_at,
     a.authorisation_id, a.status,
     a.status = 'LINKED' and a.due_at > statement_timestamp() as is_readable, a.refresh_failures,
     statement_timestamp() as real_now
   from bank_account b
   join bank_account_link l on l.merchant_id = :merchantId and l.environment = :environment
     and l.account_id = b.account_id
   join bank_authorisation a on a.merchant_id = :merchantId and a.environment = :environment
     and a.authorisation_id = l.authorisation_id
   where b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = :accountId::uuid
   order by is_readable desc, a.linked_at desc, a.authorisation_id limit 1`,
);
