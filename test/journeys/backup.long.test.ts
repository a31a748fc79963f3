import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { merchantRoutes } from '../../service/src/modules/webhooks/index.ts';
import { migrate, requireCurrentSchema } from '../../service/src/platform/database/migrate.ts';
import { openSecrets } from '../../service/src/platform/secrets/open-secrets.ts';
import { storedPurposeKeys } from '../../service/src/platform/secrets/stored-purpose-keys.ts';
import { openTestServer } from '../harness/database/open-test-server.ts';
import { withDatabase } from '../harness/database/with-database.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { openTestService } from '../harness/open-test-service.ts';
import { runCommand } from '../harness/programs/run-command.ts';
import { recordDrill } from '../harness/record-drill.ts';
import { draftOf, emit } from '../webhooks/emit.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await discardFolder(folder);
});

const query = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const answer = await client.query(text);
  await client.end();
  return answer.rows;
};

/** The version of pg_dump on the PATH, if a server of it can be started here. */
const findDumpVersion = async (): Promise<15 | 18 | undefined> => {
  const said = await promisify(execFile)('pg_dump', ['--version']).catch(() => ({ stdout: '' }));
  const major = Number(/ (\d+)\./.exec(said.stdout)?.[1]);
  return ([15, 18] as const).find((version) => version === major);
};

const masterKey = Buffer.alloc(32, 7);
const key = { FLORIN_MASTER_KEY: masterKey.toString('base64') };
const quick = { fsync: 'off', full_page_writes: 'off' };
const eventsSql = 'select event_id, written_in::text from event order by written_in, event_id';

// Its programs are of the system, so of at most one version.
const version = await findDumpVersion();
if (version)
  test(`an owner who is no superuser keeps a backup of PostgreSQL ${version} and restores it`, async () => {
    const server = await openTestServer({ version, settings: quick });
    await query(
      server.url,
      'create role florin_owner login createrole createdb in role florin_tenant, florin_system',
    );
    const urlOf = (name: string): string => {
      const url = new URL(withDatabase(server.url, name));
      url.username = 'florin_owner';
      return url.href;
    };
    await query(server.url, 'create database own owner florin_owner');
    await query(server.url, 'create database other owner florin_owner');
    await migrate(urlOf('own'));
    const service = await openTestService({
      routes: (tools) => merchantRoutes(tools),
      server: { url: server.url, template: 'own' },
      tools: { secrets: openSecrets([masterKey]) },
    });
    await storedPurposeKeys(service.tools, service.tools.secrets);
    for (const draft of [draftOf(), draftOf()])
      await emit(service.database, service.sandbox, [draft]);
    const ownUrl = urlOf(new URL(service.databaseUrl).pathname.slice(1));
    const owned = { DATABASE_URL: ownUrl, ...key };
    const folder = await mkdtemp(join(tmpdir(), 'florin-backup-'));
    folders.push(folder);
    const file = join(folder, 'florin.dump');
    const backup = (words: readonly string[], more = {}) =>
      runCommand('backup.ts', words, { ...owned, ...more });

    const written = await backup(['write', file]);
    expect(written).toMatchObject({ code: 0, said: '' });
    expect(written.out).toMatch(/ holds \d\d+ rows of \d\d+ tables, as of 20/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const drill = await backup(['drill', file]);
    expect(drill).toMatchObject({ code: 0, said: '' });
    expect(drill.out).toMatch(
      /restored in [\d.]+ s\nthe master key decrypts its secrets\nits books/,
    );
    const foreign = { FLORIN_MASTER_KEY: Buffer.alloc(32, 6).toString('base64') };
    expect((await backup(['drill', file], foreign)).said).toContain('unknown master key');
    expect(await query(server.url, `select from pg_database where datname ~ 'drill'`)).toEqual([]);

    expect((await backup(['restore', file])).said).toMatch('without the schema florin');
    const events = await query(service.databaseUrl, eventsSql);
    const restored = { DATABASE_URL: urlOf('other') };
    expect(await backup(['restore', file], restored)).toMatchObject({ code: 0, said: '' });
    await expect(requireCurrentSchema(urlOf('other'))).rejects.toThrow('confirm-epoch');
    const operator = (...words: string[]) =>
      runCommand('operate.ts', words, { ...owned, ...restored });
    const confirmed = await operator('confirm-epoch');
    expect(confirmed).toMatchObject({ code: 0, out: expect.stringContaining('Epoch 2 ') });
    await requireCurrentSchema(urlOf('other'));
    // A cursor of before, also of what the backup does not have, stands below what is written now.
    expect(await query(urlOf('other'), eventsSql)).toEqual(events);
    const [now] = await query(urlOf('other'), 'select written_in()::text');
    expect(BigInt(now.written_in) - BigInt(events.at(-1).written_in)).toBeGreaterThan(2n ** 39n);

    const [, seconds] = /restored in ([\d.]+) s/.exec(drill.out) ?? [];
    const seen = { acknowledged: events.length, lost: 0, errors: null, alert: null };
    await recordDrill('dump and restore as owner', { ...seen, secondsToWell: Number(seconds) });

    await appendFile(file, 'x');
    expect((await backup(['drill', file])).said).toMatch('its SHA-256 is another');
    await service.close();
    await server.stop();
  }, 180_000);
