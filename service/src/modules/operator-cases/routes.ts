import {
  failures,
  getOperatorCase,
  listOperatorCases,
  type QueryOf,
  type ReplyOf,
  resolveOperatorCase,
} from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { numberedPage } from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { type CaseKind, caseLifecycle } from './operator-case.ts';
import {
  findCaseRow,
  findOpenCase,
  listCaseHistory,
  listCaseRows,
  resolveCaseRow,
} from './store.ts';

type Page = Pick<QueryOf<typeof listOperatorCases>, 'page' | 'size'>;
type Status = 'OPEN' | 'RESOLVED' | null;

const firstPage: Page = { page: 0, size: 200 };

/** The newest two hundred. */
export const listCases = async (
  tools: Uses<'database'>,
  status: Status,
): Promise<ReplyOf<typeof listOperatorCases>['data']> =>
  (await listCasePage(tools, { status, search: null }, firstPage)).data;

/** The newest first. */
const listCasePage = async (
  { database }: Uses<'database'>,
  wanted: { readonly status: Status; readonly search: string | null },
  { page, size }: Page,
): Promise<ReplyOf<typeof listOperatorCases>> => {
  const values = { ...wanted, limit: size, skipped: page * size };
  const rows = await database.system(listCaseRows, values);
  return numberedPage(rows, { page, size }, (row) => (row.case_id === null ? null : shown(row)));
};

/** 404 when there is no such case. */
export const showCase = async ({ database }: Uses<'database'>, caseId: string) => {
  if (!isUuid(caseId)) throw unknownCase();
  const [[row], history] = await Promise.all([
    database.system(findCaseRow, { caseId }),
    database.system(listCaseHistory, { caseId }),
  ]);
  if (!row) throw unknownCase();
  return { ...shown(row), history: history.map(shown) };
};

const unknownCase = (): Failure =>
  new Failure(failures.notFound, { message: 'No operator case has this id.' });

type CaseView = ReplyOf<typeof resolveOperatorCase>;

/** Once: 404 for an unknown case, 409 for one that is resolved already. */
export const resolveCase = async (
  tools: Uses<'database'>,
  caseId: string,
  { actor, resolution }: { readonly actor: string; readonly resolution: string },
): Promise<CaseView> => {
  const { status } = await showCase(tools, caseId);
  const toStatus = caseLifecycle.next(status, 'resolved');
  const values = { caseId, actor, resolution, fromStatus: status, toStatus: toStatus ?? status };
  const [row] = toStatus ? await tools.database.system(resolveCaseRow, values) : [];
  if (!row) throw new Failure(failures.conflict, { message: 'This case is resolved already.' });
  return shown(row);
};

/** The open case of a subject that was settled otherwise. None, or resolved meanwhile: nothing. */
export const resolveCaseOf = async (
  tools: Uses<'database'>,
  kind: CaseKind,
  subject: string,
  { actor, resolution }: { readonly actor: string; readonly resolution: string },
): Promise<void> => {
  const [open] = await tools.database.system(findOpenCase, { kind, subject });
  const toStatus = caseLifecycle.next('OPEN', 'resolved');
  if (!open || !toStatus) return;
  const values = { caseId: open.case_id, actor, resolution, fromStatus: 'OPEN', toStatus };
  await tools.database.system(resolveCaseRow, values);
};

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(listOperatorCases, ({ query: { status = null, search, ...page } }) =>
    listCasePage(tools, { status, search: search?.trim() ?? null }, page),
  ),
  operatorRoute(getOperatorCase, ({ params }) => showCase(tools, params.caseId)),
  operatorRoute(resolveOperatorCase, ({ params, body }, { name }) =>
    resolveCase(tools, params.caseId, { actor: name, resolution: body.resolution }),
  ),
];
