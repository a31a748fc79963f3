import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { caseLifecycle } from './case-lifecycle.ts';
import { type CaseView, caseView, showCase } from './list-cases.ts';
import type { CaseKind } from './operator-case.ts';
import { findOpenCase, resolveCaseRow } from './store/cases.ts';

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
  return caseView(row);
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
