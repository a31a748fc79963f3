import { failures, type listOperatorCases, type QueryOf, type ReplyOf } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { Uses } from '#platform/tools.ts';
import { type CaseRow, findCaseRow, listCaseHistory, listCaseRows } from './store/cases.ts';

type Page = Pick<QueryOf<typeof listOperatorCases>, 'page' | 'size'>;
type Status = 'OPEN' | 'RESOLVED' | null;

const firstPage: Page = { page: 0, size: 200 };

/** The newest two hundred. */
export const listCases = async (
  tools: Uses<'database'>,
  status: Status,
): Promise<ReplyOf<typeof listOperatorCases>['data']> =>
  (await listCasePage(tools, status, firstPage)).data;

/** The newest first. */
export const listCasePage = async (
  { database }: Uses<'database'>,
  status: Status,
  { page, size }: Page,
): Promise<ReplyOf<typeof listOperatorCases>> => {
  const rows = await database.system(listCaseRows, { status, limit: size, skipped: page * size });
  const data = rows.flatMap((row) => (row.case_id === null ? [] : [caseView(row)]));
  return { page, size, data, totalCount: Number(rows[0]?.total ?? 0) };
};

/** 404 when there is no such case. */
export const showCase = async ({ database }: Uses<'database'>, caseId: string) => {
  if (!isUuid(caseId)) throw unknownCase();
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
  evidence: { ...row.evidence },
  status: row.status,
  openedAt: row.opened_at.toISOString(),
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  resolution: row.resolution,
});
