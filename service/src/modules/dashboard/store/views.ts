import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type OfPerson = Tenant & { readonly personId: string };

export type ViewRow = {
  readonly view_id: string;
  readonly page: string;
  readonly name: string;
  readonly query: string;
  readonly updated_at: Date;
};

const columns = 'view_id, page, name, query, updated_at';

export const listViews = statement<
  OfPerson & { readonly page: string; readonly limit: number },
  ViewRow
>(
  'saved_view_list',
  sql('merchantId', 'environment', 'personId', 'page', 'limit')`
   select ${columns} from saved_view
   where merchant_id = :merchantId and environment = :environment
     and person_id = :personId::uuid and page = :page order by name limit :limit::int`,
);

/** No row: the page has as many as it may have. */
export const upsertView = statement<
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

export const removeView = statement<
  OfPerson & { readonly viewId: string },
  { readonly view_id: string }
>(
  'saved_view_delete',
  sql('merchantId', 'environment', 'personId', 'viewId')`
   delete from saved_view where merchant_id = :merchantId and environment = :environment
     and person_id = :personId::uuid and view_id = :viewId::uuid returning view_id`,
  { guardedBy: 'one row of the person: a repeat deletes nothing' },
);
