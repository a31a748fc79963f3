import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openEmptyDatabase, openTestDatabase } from './database.ts';
import { waitUntil } from './wait-until.ts';

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

describe('waitUntil', () => {
  test('answers the state once it is there', async () => {
    let looks = 0;
    const look = () => {
      looks += 1;
      if (looks < 3) throw new Error('not yet');
      return 'there';
    };
    expect(await waitUntil(look, { everyMs: 1 })).toBe('there');
    expect(looks).toBe(3);
  });

  test('says what it last saw when the time is up', async () => {
    const never = () => {
      throw new Error('still closed');
    };
    await expect(waitUntil(never, { withinMs: 5, everyMs: 1 })).rejects.toThrow('still closed');
  });
});
