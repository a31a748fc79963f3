import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type CaseKind,
  caseLifecycle,
  type OperatorCase,
  type TenantCase,
} from '../operator-case.ts';

type Values = {
  readonly cases: string;
};

const insertCases = statement<Values, never>(
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
