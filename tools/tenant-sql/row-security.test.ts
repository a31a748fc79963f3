import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesIn, replaceNames } from '../../service/src/platform/database/sql.ts';
import { madeStatements } from '../../service/src/platform/database/statement.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../test/harness/database/open-test-database.ts';
import { loadStores } from './load-stores.ts';

let database: TestDatabase;
let client: pg.Client;
/** Of each table of merchant data, its partitions too, which of them it belongs to. */
let merchantTables: ReadonlyMap<string, string>;

beforeAll(async () => {
  await loadStores();
  database = await openTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`set search_path = florin; set plan_cache_mode = force_generic_plan;
    set florin.merchants = '{${randomUUID()}}'`);
  const { rows } = await client.query<{ name: string; parent: string }>(`
    select c.relname as name, coalesce(p.relname, c.relname) as parent
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
      and coalesce(p.relrowsecurity, c.relrowsecurity)`);
  merchantTables = new Map(rows.map(({ name, parent }) => [name, parent]));
});

afterAll(async () => {
  await client.end();
  await database.close();
});

const tenantPredicate =
  /(?<!set )(?:\b\w+\.)?merchant_id = (?::merchantId\b(?:::uuid)?|any \(:merchantIds(?:::uuid\[\])?\))/g;

/** A statement without one of its predicates on the merchant, for each of them. */
const mutationsOf = (sql: string): readonly string[] =>
  [...sql.matchAll(tenantPredicate)].map(
    ({ index, 0: { length } }) => `${sql.slice(0, index)}true${sql.slice(index + length)}`,
  );

type Plan = { readonly 'Relation Name'?: string; readonly Plans?: readonly Plan[] };

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** What a plan reads of merchant data without the policy of the tenant's role. */
const openReads = (plan: Plan): readonly string[] =>
  nodesOf(plan).flatMap(({ Plans: _, ...node }) => {
    const table = merchantTables.get(node['Relation Name'] ?? '');
    const isRead = !('Operation' in node);
    return table && isRead && !JSON.stringify(node).includes('florin.merchants') ? [table] : [];
  });

const explain = async (role: string, sql: string): Promise<Plan> => {
  const names = namesIn(sql);
  const text = replaceNames(sql, (name) => `$${names.indexOf(name) + 1}`);
  await client.query(`set role ${role}`);
  await client.query(`prepare mutated as ${text}`);
  try {
    const given = names.length > 0 ? `(${names.map(() => 'null').join(', ')})` : '';
    const { rows } = await client.query(`explain (format json) execute mutated${given}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate mutated; reset role');
  }
};

/** Of the operator: the role of a tenant may not even read its tables. */
const noneIfDenied = (error: unknown): Plan => {
  if (error instanceof pg.DatabaseError && error.code === '42501') return {};
  throw error;
};

describe('without its predicate on the merchant', () => {
  test('every statement reads only the merchant in scope, whichever predicate is missing', async () => {
    const open: string[] = [];
    let mutations = 0;
    for (const { name, sql } of madeStatements())
      for (const mutation of name.startsWith('test_') ? [] : mutationsOf(sql)) {
        mutations += 1;
        const plan = await explain('florin_tenant', mutation).catch(noneIfDenied);
        open.push(...openReads(plan).map((table) => `${name}: ${table}`));
      }
    expect(open).toEqual([]);
    expect(mutations).toBeGreaterThan(200);
  }, 120_000);

  test('a statement of the role that sees all merchants is found', async () => {
    const plan = await explain('florin_system', 'select 1 from customer where true');
    expect(openReads(plan)).toEqual(['customer']);
  });
});

// Every connection begins the epoch of a restored server: it writes one row, of no merchant. One of a
// replica reads the number of the newest.
const callable = ['begin_cluster_epoch', 'newest_epoch'].map((proname) => ({ proname }));

test('the role of a tenant calls with the rights of the owner what concerns no merchant', async () => {
  const { rows } = await client.query(`
    select proname from pg_proc where pronamespace = 'florin'::regnamespace and prosecdef
      and prorettype <> 'trigger'::regtype and has_function_privilege('florin_tenant', oid, 'execute')
    order by proname`);
  expect(rows).toEqual(callable);
});

test('writes no row of another merchant into any table', async () => {
  const { rows } = await client.query<{ name: string; writes: string[] }>(`
    select polrelid::regclass::text as name,
      array_agg(polname || ' ' || polcmd::text || ' ' || pg_get_expr(polqual, polrelid)
        || coalesce(' ' || pg_get_expr(polwithcheck, polrelid), '')) as writes
    from pg_policy where 'florin_tenant'::regrole = any (polroles) group by 1`);
  const policy =
    "tenant * (merchant_id = ANY ((current_setting('florin.merchants'::text))::uuid[]))";
  expect(rows.filter(({ writes }) => writes.length !== 1 || writes[0] !== policy)).toEqual([]);
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(merchantTables.values()));
});
