import { failures, limits, type ReplyOf } from '@florin/contract';
import { deleteView, listSavedViews, saveView } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { type RowOf, shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Caller, memberOf, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type OfPerson = Tenant & { readonly personId: string };

type ViewRow = RowOf<ReplyOf<typeof saveView>, 'updatedAt'>;

const columns = 'view_id, page, name, query, updated_at';

const listViews = statement<OfPerson & { readonly page: string; readonly limit: number }, ViewRow>(
  'saved_view_list',
  sql('merchantId', 'environment', 'personId', 'page', 'limit')`
   select ${columns} from saved_view
   where merchant_id = :merchantId and environment = :environment
     and person_id = :personId::uuid and page = :page order by name limit :limit::int`,
);

/** No row: the page has as many as it may have. */
const upsertView = statement<
  OfPerson & {
    readonly viewId: string;
    readonly page: string;
    readonly name: string;
    readonly query: string;
    readonly max: number;
  },
  ViewRow
>(
  'saved_view_upsert',
  sql('merchantId', 'environment', 'personId', 'viewId', 'page', 'name', 'query', 'max')`
   insert into saved_view (merchant_id, environment, person_id, page, name, view_id, query)
   select :merchantId, :environment, :personId::uuid, :page, :name, :viewId::uuid, :query
   where :max::int > (select count(*) from saved_view where merchant_id = :merchantId
     and environment = :environment and person_id = :personId::uuid and page = :page
     and name <> :name)
   on conflict (merchant_id, environment, person_id, page, name) do update set
     query = excluded.query, updated_at = clock_timestamp()
   returning ${columns}`,
  { guardedBy: 'primary key of person, page and name: the later write wins' },
);

const removeView = statement<OfPerson & { readonly viewId: string }, { readonly view_id: string }>(
  'saved_view_delete',
  sql('merchantId', 'environment', 'personId', 'viewId')`
   delete from saved_view where merchant_id = :merchantId and environment = :environment
     and person_id = :personId::uuid and view_id = :viewId::uuid returning view_id`,
  { guardedBy: 'one row of the person: a repeat deletes nothing' },
);

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

const ofPerson = (caller: Caller): OfPerson => ({
  ...caller.tenant,
  personId: memberOf(caller).personId,
});
