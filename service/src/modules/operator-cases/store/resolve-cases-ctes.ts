import { sql } from '#platform/database/sql.ts';
import { caseLifecycle } from '../case-lifecycle.ts';
import type { CaseKind } from '../operator-case.ts';

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
