import { limits } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { earliestOfEach, ofEachEnvironment } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type CaseKind,
  caseLifecycle,
  type OperatorCase,
  type TenantCase,
} from './operator-case.ts';

export type CaseRow = {
  readonly case_id: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly kind: CaseKind;
  readonly subject: string;
  readonly description: string;
  readonly evidence: Record<string, unknown>;
  readonly status: 'OPEN' | 'RESOLVED';
  readonly opened_at: Date;
  readonly resolved_at: Date | null;
  readonly resolution: string | null;
};

const columns = `case_id, merchant_id, environment, kind, subject, description, evidence, status,
     opened_at, resolved_at, resolution`;

const isWanted = `(:status::text is null or c.status = :status::text)
     and (:search::text is null or c.subject = :search::text
       or c.evidence->>'orderId' = :search::text or c.evidence->>'paymentRequestId' = :search::text
       or strpos(lower(m.business_name), lower(:search::text)) > 0)`;

/** One row more than there are cases, so that an empty page still has the number. */
export const listCaseRows = statement<
  Readonly<Record<'status' | 'search', string | null> & Record<'limit' | 'skipped', number>>,
  { readonly total: bigint } & (
    | (CaseRow & { readonly business_name: string | null })
    | { readonly case_id: null }
  )
>(
  'operator_case_list',
  sql('status', 'search', 'limit', 'skipped')`
   with wanted as (
     select c.*, m.business_name from operator_case c
     left join merchant m on m.merchant_id = c.merchant_id
     where ${isWanted})
   select n.total, c.* from (select count(*) as total from wanted) n
   left join lateral (select ${columns}, business_name from wanted
     order by opened_at desc, case_id limit :limit offset :skipped) c on true
   order by c.opened_at desc, c.case_id`,
  { readsWholeTables: true },
);

export const findOpenCase = statement<
  { readonly kind: CaseKind; readonly subject: string },
  { readonly case_id: string }
>(
  'operator_case_find_open',
  sql('kind', 'subject')`
   select case_id from operator_case
   where kind = :kind and subject = :subject and status = 'OPEN' limit 1`,
);

type CaseHistoryRow = {
  readonly from_status: string;
  readonly to_status: string;
  readonly actor: string;
  readonly detail: string;
  readonly occurred_at: Date;
};

export const findCaseRow = statement<{ readonly caseId: string }, CaseRow>(
  'operator_case_find',
  sql('caseId')`select ${columns} from operator_case where case_id = :caseId::uuid`,
);

export const listCaseHistory = statement<{ readonly caseId: string }, CaseHistoryRow>(
  'operator_case_history',
  sql('caseId')`
   select from_status, to_status, actor, detail, occurred_at from operator_case_history
   where case_id = :caseId::uuid order by position`,
);

/** No row: there is no such case, or it is resolved already. */
export const resolveCaseRow = statement<
  {
    readonly caseId: string;
    readonly actor: string;
    readonly resolution: string;
    readonly fromStatus: string;
    readonly toStatus: string;
  },
  CaseRow
>(
  'operator_case_resolve',
  sql('caseId', 'actor', 'resolution', 'fromStatus', 'toStatus')`
   with resolved as (
     update operator_case set status = :toStatus, resolved_at = clock_timestamp(),
       resolution = :resolution
     where case_id = :caseId::uuid and status = :fromStatus
     returning ${columns}
   ), history as (
     insert into operator_case_history
       (case_id, position, merchant_id, environment, from_status, to_status, actor, detail)
     select case_id, 1 + (select count(*) from operator_case_history h
         where h.case_id = :caseId::uuid), merchant_id, environment, :fromStatus, :toStatus, :actor,
       :resolution
     from resolved
   )
   select * from resolved`,
  { guardedBy: 'the status that it leaves: a case is resolved once' },
);

export type ReportedCase = Pick<
  CaseRow,
  'case_id' | 'merchant_id' | 'environment' | 'kind' | 'subject' | 'description' | 'evidence'
> & { readonly report_attempts: number };

const isFree = '(leased_until is null or leased_until < statement_timestamp())';

/** What is of no environment is of the installation, as production is. */
const isOfShare = `coalesce(environment, 'PRODUCTION') = share.of_environment`;

export const reportDueAt = earliestOfEach(`(select opened_at from operator_case
     where ${isOfShare} and reported_at is null and ${isFree} order by opened_at limit 1)`);

export const claimUnreportedCases = statement<
  { readonly limit: number; readonly leaseMs: number },
  ReportedCase
>(
  'operator_case_claim',
  sql('leaseMs')`
   with due as materialized (${ofEachEnvironment(sql('limit')`
     select case_id from operator_case
     where ${isOfShare} and reported_at is null and ${isFree}
     order by opened_at limit :limit for update skip locked`)})
   update operator_case c set report_attempts = least(c.report_attempts + 1, 1000), report_error = null,
     leased_until = statement_timestamp() + :leaseMs::int * interval '1 millisecond'
   from due where c.case_id = due.case_id
   returning c.case_id, c.merchant_id, c.environment, c.kind, c.subject, c.description, c.evidence,
     c.report_attempts`,
  { guardedBy: 'lease and skip locked: one worker reports a case' },
);

/** `retryMs` null: it was reported. */
export const finishCaseReport = statement<
  {
    readonly caseId: string;
    readonly retryMs: number | null;
    readonly error: string | null;
  },
  never
>(
  'operator_case_reported',
  sql('caseId', 'retryMs', 'error')`
   update operator_case set report_error = :error::text,
     reported_at = case when :retryMs::bigint is null then clock_timestamp() end,
     leased_until = clock_timestamp() + :retryMs::bigint * interval '1 millisecond'
   where case_id = :caseId::uuid and reported_at is null`,
  { guardedBy: 'reported_at: a case is reported once' },
);

export const countOpenCases = statement<Record<never, never>, { readonly open: bigint }>(
  'operator_case_count',
  sql()`select count(*) as open from operator_case where status = 'OPEN'`,
  { readsWholeTables: true },
);

/** Cases that could not be mailed, as rows of the operator's list (DASHBOARD-23). */
export const failedCaseMails = sql()`
   (${ofEachEnvironment(sql('limit')`
    select 'CASE' as source, m.kind, m.merchant_id, m.environment, m.case_id::text as mail_id,
      null::text as recipient, null::bytea as recipient_encrypted, null::uuid as attempt_id,
      m.opened_at as created_at, m.leased_until as due_at, null::timestamptz as leased_until,
      false as is_given_up, false as is_late, m.report_attempts::int as attempts,
      m.report_error as last_error
    from (select * from operator_case where ${isOfShare} and reported_at is null
      order by opened_at limit ${limits.stuckScanMax}) m
    where m.report_error is not null order by m.opened_at desc limit :limit`)})`;

/** Ends the pause after a failure. While a worker mails a case it has no error, and its lease stays. */
export const sendCaseAgain = statement<{ readonly caseId: string }, { readonly case_id: string }>(
  'operator_case_send_again',
  sql('caseId')`
   update operator_case set leased_until = least(leased_until, statement_timestamp())
   where case_id = :caseId::uuid and reported_at is null and report_error is not null
   returning case_id`,
  { guardedBy: 'an error and no report: a pause that is only made shorter' },
);

const insertCases = statement<{ readonly cases: string }, never>(
  'operator_case_open',
  sql('cases')`
   insert into operator_case (merchant_id, environment, kind, subject, description, evidence)
   select c.merchant_id, c.environment, c.kind, c.subject, c.description, c.evidence
   from jsonb_to_recordset(:cases::jsonb) as c (merchant_id uuid, environment text, kind text,
     subject text, description text, evidence jsonb)
   on conflict do nothing`,
  { guardedBy: 'unique operator_case_open: one open case for each kind and subject' },
);

/** Opens cases on their own, also those of the whole installation. */
export const openCases = async (
  { database }: Uses<'database'>,
  cases: readonly (OperatorCase | TenantCase)[],
): Promise<void> => {
  if (cases.length === 0) return;
  const rows = cases.map((each) => {
    const tenant = 'tenant' in each ? each.tenant : null;
    const { merchantId = null, environment = null } = tenant ?? {};
    return { ...row(each), merchant_id: merchantId, environment };
  });
  await database.system(insertCases, { cases: JSON.stringify(rows) });
};

/**
 * Cases opened by the statement that changes the state. `guard` names a common table expression
 * with a row for each resource whose change won, identified by its `column`; the value is `:cases`.
 */
export const openCasesCtes = (guard: string, column: string) => sql(
  'merchantId',
  'environment',
  'cases',
)`
  operator_cases as (
    insert into operator_case (merchant_id, environment, kind, subject, description, evidence)
    select :merchantId, :environment, c.kind, c.subject, c.description, c.evidence
    from jsonb_to_recordset(:cases::jsonb) as c (resource_id uuid, kind text, subject text,
      description text, evidence jsonb)
    where c.resource_id in (select ${guard}.${column} from ${guard})
    on conflict do nothing
  )`;

export const casesValue = (
  cases: readonly { readonly resourceId: string; readonly opened: OperatorCase }[],
): string =>
  JSON.stringify(
    cases.map(({ resourceId, opened }) => ({ ...row(opened), resource_id: resourceId })),
  );

const row = ({ kind, subject, description, evidence }: OperatorCase) => ({
  kind,
  subject,
  description,
  evidence,
});

/** A case that ends because its subject does. */
export type ResolvedCase = {
  readonly kind: CaseKind;
  readonly subject: string;
  readonly actor: string;
  readonly resolution: string;
};

/**
 * Cases resolved by the statement that settles what they are about. `guard` names a common table
 * expression with a row for each resource whose change won, identified by its `column`; the value is
 * `:resolvedCases`.
 */
export const resolveCasesCtes = (guard: string, column: string) => sql(
  'merchantId',
  'environment',
  'resolvedCases',
)`
  resolved_cases as (
    update operator_case c set status = s.to_status, resolved_at = clock_timestamp(),
      resolution = s.resolution
    from jsonb_to_recordset(:resolvedCases::jsonb) as s (resource_id uuid, kind text, subject text,
      from_status text, to_status text, actor text, resolution text)
    where c.merchant_id = :merchantId and c.environment = :environment and c.kind = s.kind
      and c.subject = s.subject and c.status = s.from_status and c.status = 'OPEN'
      and s.resource_id in (select ${guard}.${column} from ${guard})
    returning c.case_id, s.from_status, s.to_status, s.actor, s.resolution),
  resolved_case_history as (
    insert into operator_case_history (case_id, position, merchant_id, environment, from_status,
      to_status, actor, detail)
    select case_id, 1, :merchantId, :environment, from_status, to_status, actor, resolution
    from resolved_cases
  )`;

export const resolvedCasesValue = (
  cases: readonly { readonly resourceId: string; readonly resolved: ResolvedCase }[],
): string =>
  JSON.stringify(
    cases.map(({ resourceId, resolved }) => ({
      ...resolved,
      resource_id: resourceId,
      from_status: 'OPEN',
      to_status: caseLifecycle.next('OPEN', 'resolved') ?? 'OPEN',
    })),
  );
