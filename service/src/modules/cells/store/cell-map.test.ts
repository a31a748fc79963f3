import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/database/open-database.ts';
import { madeStatements } from '#platform/database/statement.ts';
import { lookInto } from '../../../../../test/harness/invariants/look-into.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { replaceNames } from '../../../platform/database/sql.ts';
import { writeCellMap } from './cell-map.ts';

const idsOfAll = 3_000;
const movedEvery = 300;
const pageSize = 100;

let service: TestService;
/** Merchants that are elsewhere; the second has no ids. */
let away: readonly string[];

beforeAll(async () => {
  service = await openTestService();
  away = [service.merchant.merchantId, (await service.newMerchant()).merchantId];
  const { merchantId: stays } = await service.newMerchant();
  await lookInto(service.databaseUrl, async (client) => {
    await client.query(
      `insert into public_id (public_id, kind, merchant_id, environment, target_id)
       select 'id-' || lpad(n::text, 5, '0'), kind,
         case when n % $1 = 0 then $2::uuid else $3::uuid end, 'SANDBOX', gen_random_uuid()
       from generate_series(1, $4) n, unnest('{ATTEMPT,PAYMENT_REQUEST}'::text[]) kind
       where kind = 'ATTEMPT' or n % $1 = 0 order by 1, 2`,
      [movedEvery, away[0], stays, idsOfAll],
    );
    await client.query('analyze public_id');
    await client.query(
      `with other as (insert into cell (cell_id, address)
         values (gen_random_uuid(), 'https://two.example.com') returning cell_id)
       insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
       select m, gen_random_uuid(), 2, 'GONE', cell_id, 'a test' from other, unnest($1::uuid[]) m`,
      [away],
    );
  });
});
afterAll(async () => service.close());

test('the map has each secret and each id of merchants that moved away, once, and no other', async () => {
  const lines: string[] = [];
  const pages: number[] = [];
  const system: Database['system'] = async (statement, values) => {
    const found = await service.database.system(statement, values);
    pages.push(found.length);
    return found;
  };
  const database = { ...service.database, system };
  const write = async (line: string): Promise<void> => {
    lines.push(line);
  };
  expect(await writeCellMap({ database, write }, pageSize)).toBe('# end of the map');
  const expected = await lookInto(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select encode(secret_sha256, 'hex') as key from secret_directory
         where merchant_id = any($1::uuid[])
       union select public_id from public_id where merchant_id = any($1::uuid[])
       union select unnest($1::uuid[])::text`,
      [away],
    );
    return rows.map(({ key }) => `${key} two.example.com\n`);
  });
  expect(expected.length).toBeGreaterThan(idsOfAll / movedEvery);
  expect([...lines].sort()).toEqual([...expected].sort());
  // Two pages of merchants, the second one empty, and so many of ids.
  expect(pages.length).toBeGreaterThan(2 + idsOfAll / pageSize);
  expect(Math.max(...pages)).toBeLessThan(pageSize);
});

test('a page reads no more ids than it holds, wherever it begins', async () => {
  const made = madeStatements().find(({ name }) => name === 'cell_map_ids');
  const values: Readonly<Record<string, string>> = {
    ...{ id: "'id-01500'", kind: "'ATTEMPT'", limit: String(pageSize) },
  };
  const text = replaceNames(made?.sql ?? '', (name) => values[name] ?? '');
  const [row] = await lookInto(
    service.databaseUrl,
    async (client) => (await client.query(`explain (analyze, format json) ${text}`)).rows,
  );
  const reads = nodesOf(row['QUERY PLAN'][0].Plan).filter(
    (node) => node['Relation Name'] === 'public_id',
  );
  expect(reads.map((node) => [node['Index Name'], node['Actual Rows']])).toEqual([
    ['public_id_pkey', pageSize],
  ]);
});

type PlanNode = {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanNode[];
};

const nodesOf = (plan: PlanNode): readonly PlanNode[] => [
  plan,
  ...(plan.Plans ?? []).flatMap(nodesOf),
];
