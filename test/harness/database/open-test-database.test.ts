import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openEmptyDatabase, openTestDatabase } from './open-test-database.ts';

const queryAnswer = async (url: string, text: string): Promise<string | undefined> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ answer: string }>(text);
  await client.end();
  return rows[0]?.answer;
};

const countMigrations = 'select count(*) as answer from florin.migration';

describe('test databases', () => {
  test('a test database has the migrations and is separate from others', async () => {
    const [one, other] = await Promise.all([openTestDatabase(), openTestDatabase()]);
    expect(one.url).not.toBe(other.url);
    expect(Number(await queryAnswer(one.url, countMigrations))).toBeGreaterThan(0);
    await queryAnswer(one.url, 'create table only_here as select 1 as answer');
    const seen = await queryAnswer(other.url, "select to_regclass('only_here')::text as answer");
    expect(seen).toBeNull();
    await Promise.all([one.close(), other.close()]);
  });

  test('an empty database has no schema of ours', async () => {
    const database = await openEmptyDatabase();
    expect(
      await queryAnswer(database.url, "select to_regnamespace('florin')::text as answer"),
    ).toBeNull();
    await database.close();
  });
});
