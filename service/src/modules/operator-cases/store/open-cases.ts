import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import type { OperatorCase, TenantCase } from '../operator-case.ts';

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
