import { failures, limits } from '@florin/contract';
import { deleteView, listSavedViews, saveView } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { type Caller, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listViews, removeView, upsertView, type ViewRow } from './store/views.ts';

/** DASHBOARD-47: each person has views of their own. */
export const viewRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(listSavedViews, async ({ query: { page } }, caller) => {
    const values = { ...ofPerson(caller), page, limit: limits.viewsPerPage };
    const rows = await tools.database.tenant(caller.tenant.merchantId, listViews, values);
    return { data: rows.map(shown) };
  }),
  route(saveView, async ({ body: { page, name, query } }, caller) => {
    const [row] = await tools.database.tenant(caller.tenant.merchantId, upsertView, {
      ...ofPerson(caller),
      viewId: tools.ids.uuid(),
      page,
      name: name.trim(),
      query,
      max: limits.viewsPerPage,
    });
    if (row) return shown(row);
    const message = `A page has at most ${limits.viewsPerPage} views: delete one first.`;
    throw new Failure(failures.conflict, { message });
  }),
  route(deleteView, async ({ params: { viewId } }, caller) => {
    const values = { ...ofPerson(caller), viewId };
    const [row] = await tools.database.tenant(caller.tenant.merchantId, removeView, values);
    if (!row) throw new Failure(failures.notFound);
    return { viewId };
  }),
];

const ofPerson = ({ tenant, by }: Caller) => {
  if (by.kind !== 'person') throw new Error('a saved view is of a person');
  return { ...tenant, personId: by.personId };
};

const shown = (row: ViewRow) => ({
  viewId: row.view_id,
  page: row.page as 'payments',
  name: row.name,
  query: row.query,
  updatedAt: row.updated_at.toISOString(),
});
