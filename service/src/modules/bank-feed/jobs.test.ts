import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Feed, openFeed } from './test/open-feed.ts';

let feed: Feed;
beforeAll(async () => {
  feed = await openFeed();
});
afterAll(() => feed.close());

test('links that cannot be ended stop no other, and wait with their reason', async () => {
  const [bad, good] = [await feed.initiated(), await feed.initiated()];
  await feed.rows(
    `insert into bank_authorisation
     select (jsonb_populate_record(a,
       jsonb_build_object('authorisation_id', gen_random_uuid()))).*
     from bank_authorisation a, generate_series(1, 59) where a.authorisation_id = $1`,
    [bad],
  );
  const aMinuteAgo = `now() - interval '1 minute'`;
  const late = `link_expires_at = ${aMinuteAgo}, due_business_at = ${aMinuteAgo}`;
  await feed.rows(
    `update bank_authorisation set version = 2147483647, ${late}, due_at = now() - interval '1 hour'
     where authorisation_id <> $1`,
    [good],
  );
  await feed.rows(
    `update bank_authorisation set ${late}, due_at = ${aMinuteAgo}
     where authorisation_id = $1`,
    [good],
  );
  const ended = [await feed.jobs.endDueAuthorisations(), await feed.jobs.endDueAuthorisations()];
  expect(ended).toEqual([0, 1]);
  const written = await feed.rows(
    'select 1 from bank_authorisation where authorisation_id = $1 and ended_at is not null',
    [good],
  );
  expect(written).toHaveLength(1);
  const put = await feed.rows<{ count: bigint; reason: string }>(
    `select count(*), min(last_error) as reason from work_lease
     where work = 'END_LINK' and failures = 1 and leased_until > now()`,
  );
  expect(put).toEqual([{ count: 60n, reason: expect.stringMatching(/out of range/) }]);
});
