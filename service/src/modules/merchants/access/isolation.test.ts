import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';

let service: TestService;
let other: string;
beforeAll(async () => {
  service = await openTestService();
  other = (await service.newMerchant()).merchantId;
});
afterAll(() => service.close());

const withoutPredicate = (table: string) =>
  statement<Record<never, never>, { merchant_id: string }>(
    '',
    sql()`select merchant_id from ${table}`,
  );

describe('a statement that omits the merchant', () => {
  const tables = [
    'merchant',
    'merchant_switch',
    'tenant_clock',
    'store',
    'store_bank_account',
    'access_secret',
  ];
  test.each(tables)('reads no rows of other merchants: %s', async (table) => {
    const everybody = await service.database.system(withoutPredicate(table), {});
    expect(everybody.map((row) => row.merchant_id)).toContain(other);
    const { merchantId } = service.merchant;
    const seen = await service.database.tenant(merchantId, withoutPredicate(table), {});
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map((row) => row.merchant_id))).toEqual(new Set([merchantId]));
  });

  test('changes no rows of other merchants', async () => {
    const rename = statement<Record<never, never>, { merchant_id: string }>(
      '',
      sql()`update merchant set business_name = 'Taken' returning merchant_id`,
    );
    const changed = await service.database.tenant(service.merchant.merchantId, rename, {});
    expect(changed).toEqual([{ merchant_id: service.merchant.merchantId }]);
  });

  test('inserts no rows for other merchants', async () => {
    const insert = statement<{ merchantId: string }, never>(
      '',
      sql('merchantId')`
   insert into store (merchant_id, environment, store_id, location_name, created_at, updated_at)
       values (:merchantId, 'SANDBOX', gen_random_uuid(), 'Planted', now(), now())`,
    );
    await expect(
      service.database.tenant(service.merchant.merchantId, insert, { merchantId: other }),
    ).rejects.toMatchObject({ code: '42501' });
  });
});

// Looked up before the merchant is known.
const directories = ['public_id', 'secret_directory'];
// A credit has no merchant until it is matched; many an audit record has none.
const ofTheSystem = ['account_credit', 'audit_record'];

test('merchants reach no unprotected table but the two directories', async () => {
  const open = statement<Record<never, never>, { name: string }>(
    '',
    sql()`
   select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
     where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and not (c.relrowsecurity and c.relforcerowsecurity)
     order by 1`,
  );
  const names = (await service.database.system(open, {})).map((row) => row.name);
  expect(names).toEqual([...ofTheSystem, ...directories]);
  const readable = statement<{ tables: readonly string[] }, { name: string }>(
    '',
    sql('tables')`
   select t.name from unnest(:tables::text[]) as t (name)
     where has_table_privilege('florin_tenant', 'florin.' || t.name, 'select, insert, update, delete')`,
  );
  const forTenants = await service.database.system(readable, {
    tables: [...ofTheSystem, ...directories],
  });
  expect(forTenants.map((row) => row.name)).toEqual(directories);
});
