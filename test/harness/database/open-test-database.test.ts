import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openEmptyDatabase, openTestDatabase } from './open-test-database.ts';

const ask = async (url: string, text: string): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ answer: string }>(text);
  await client.end();
  return rows[0]?.answer;
};

const countMigrations = 'select count(*) as answer from florin.migration';

describe('test databases', () => {
  test('each holds the migrations and nothing of the others', async () => {
    const [one, other] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    expect(one.url).not.toBe(other.url);
    expect(Number(await ask(one.url, countMigrations))).toBeGreaterThan(0);
    await ask(one.url, 'create table only_here as select 1 as answer');
    const seen = await ask(other.url, "select to_regclass('only_here')::text as answer");
    expect(seen).toBeNull();
    await Promise.all([one.close(), other.close()]);
  });

  test('an empty one holds no schema of ours', async () => {
    const database = await openEmptyDatabase();
    expect(await ask(database.url, "select to_regnamespace('florin')::text as answer")).toBeNull();
    await database.close();
  });
});
