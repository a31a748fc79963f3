import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { fence } from '../../service/src/modules/cells/store/carry-rows.ts';
import { withThisCell } from '../../service/src/modules/cells/store/open-cells.ts';
import { migrate } from '../../service/src/platform/database/migrate.ts';
import { openTestServer } from '../harness/database/open-test-server.ts';
import { withDatabase } from '../harness/database/with-database.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { countRows } from '../harness/open-cells.ts';
import { openTestService } from '../harness/open-test-service.ts';
import { runCommand } from '../harness/programs/run-command.ts';

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const query = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
};

const said = await promisify(execFile)('pg_dump', ['--version']).catch(() => ({ stdout: '' }));
const version = ([15, 18] as const).find((one) => said.stdout.includes(` ${one}.`));
// Its programs are of the system, so of at most one version.
if (version)
  test('a backup by the owner holds who is paused in a move, and a copy that stays closed', async () => {
    const quick = { fsync: 'off', full_page_writes: 'off' };
    const server = await openTestServer({ version, settings: quick });
    closers.push(server.stop);
    await query(
      server.url,
      'create role florin_owner login createrole createdb in role florin_tenant, florin_system',
    );
    const urlOf = (name: string): string => {
      const url = new URL(withDatabase(server.url, name));
      url.username = 'florin_owner';
      return url.href;
    };
    for (const name of ['own', 'other'])
      await query(server.url, `create database ${name} owner florin_owner`);
    await migrate(urlOf('own'));
    const service = await openTestService({ server: { url: server.url, template: 'own' } });
    closers.push(service.close);
    const ids = [service.merchant.merchantId, (await service.newMerchant()).merchantId];
    await withThisCell({ settings: { CELL_DATABASE_URL: service.databaseUrl } }, async (cell) => {
      for (const id of ids) await fence(cell, id);
      await cell.query(
        `with other as (insert into cell (address) values ('http://127.0.0.1:9') returning cell_id)
         insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
         select unnest($1::uuid[]), gen_random_uuid(), 1, unnest('{PAUSED,GONE}'::text[]), cell_id, 't'
         from other`,
        [ids],
      );
    });
    const folder = await mkdtemp(join(tmpdir(), 'florin-backup-'));
    closers.push(() => discardFolder(folder));
    const file = join(folder, 'florin.dump');
    const backup = (word: string, name: string) =>
      runCommand('backup.ts', [word, file], { DATABASE_URL: urlOf(name) });
    const own = new URL(service.databaseUrl).pathname.slice(1);
    expect(await backup('write', own)).toMatchObject({ code: 0, said: '' });
    expect(await backup('restore', 'other')).toMatchObject({ code: 0, said: '' });
    const held = await countRows(service.databaseUrl, ids);
    expect(held.get('merchant')).toEqual({ own: 2, others: 0 });
    expect(await countRows(withDatabase(server.url, 'other'), ids)).toEqual(held);
  }, 180_000);
