import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { type CaseRow, findCaseRow, listCaseHistory, listCaseRows } from './store/cases.ts';

const maxListed = 200;

export const listCases = async (
  { database }: Uses<'database'>,
  status: 'OPEN' | 'RESOLVED' | null,
): Promise<readonly CaseView[]> =>
  (await database.system(listCaseRows, { status, limit: maxListed })).map(caseView);

/** 404 where there is no such case. */
export const showCase = async ({ database }: Uses<'database'>, caseId: string) => {
  if (!uuid.test(caseId)) throw unknownCase();
  const [[row], history] = await Promise.all([
    database.system(findCaseRow, { caseId }),
    database.system(listCaseHistory, { caseId }),
  ]);
  if (!row) throw unknownCase();
  return {
    ...caseView(row),
    history: history.map((each) => ({
      fromStatus: each.from_status,
      toStatus: each.to_status,
      actor: each.actor,
      detail: each.detail,
      occurredAt: each.occurred_at.toISOString(),
    })),
  };
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unknownCase = (): Failure =>
  new Failure(failures.notFound, { message: 'No operator case has this id.' });

export type CaseView = ReturnType<typeof caseView>;

export const caseView = (row: CaseRow) => ({
  caseId: row.case_id,
  merchantId: row.merchant_id,
  environment: row.environment,
  kind: row.kind,
  subject: row.subject,
  description: row.description,
  evidence: row.evidence,
  status: row.status,
  openedAt: row.opened_at.toISOString(),
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  resolution: row.resolution,
});
