import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementJobs } from '../../service/src/modules/dashboard/monthly-statement.ts';
import { mailMembers } from '../../service/src/modules/dashboard/notifications.ts';
import { searchJobs } from '../../service/src/modules/search/jobs.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';

/** Statements that take rows of many merchants together, with one among them that throws. */
let planted: Isolation;
beforeAll(async () => {
  planted = await openIsolation();
});
afterAll(() => planted.close());

type RunTools = Isolation['service']['tools'];

const runOne = (name: string, tools: RunTools): Promise<number> | undefined => {
  const statements = statementJobs({ ...tools, dashboardUrl: 'http://x/dashboard' });
  const jobs = [...searchJobs(tools), ...mailMembers(tools), ...statements];
  return jobs.find((each) => each.name === name)?.run();
};

/** Twice at once, as two workers would. */
const run = async (name: string): Promise<void> => {
  const { tools } = planted.service;
  await Promise.all([runOne(name, tools), runOne(name, tools)]);
};

const merchants = async (count: number): Promise<readonly string[]> => {
  const made = [];
  for (let at = 0; at < count; at += 1) made.push((await planted.service.newMerchant()).merchantId);
  return made;
};

const addCounts = (merchantId: string, day: string, items: readonly number[]) =>
  planted.owner.query(
    `insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
       amount_pence)
     select $1, 'SANDBOX', $2, $1, 'CARD', 'COMPLETED', unnest($3::int[]), 0`,
    [merchantId, day, items],
  );
const countsOf = async (merchantId: string, day: string) =>
  (
    await planted.owner.query(
      `select sum(items)::text as items, count(*)::int as rows, bool_and(is_folded) as "isFolded"
       from transaction_count where merchant_id = $1 and day = $2`,
      [merchantId, day],
    )
  ).rows[0];

test.each([
  ['foldTransactionCounts', 1],
  ['foldManyTransactionCounts', 200],
])('a day that cannot be summed up stops no other day: %s', async (job, rows) => {
  const [first = '', bad = '', last = ''] = await merchants(3);
  const ones = Array<number>(rows + 1).fill(1);
  const good = [
    [first, '2026-03-01'],
    [bad, '2026-03-02'],
    [last, '2026-03-01'],
  ] as const;
  for (const [merchantId, day] of good) await addCounts(merchantId, day, ones);
  await addCounts(bad, '2026-03-01', [2_000_000_000, 2_000_000_000, ...ones]);
  await run(job);
  for (const [merchantId, day] of good)
    expect(await countsOf(merchantId, day)).toEqual({
      ...{ items: String(rows + 1), rows: 1, isFolded: true },
    });
  expect(await countsOf(bad, '2026-03-01')).toMatchObject({ rows: rows + 3, isFolded: false });
  const [shown, ...others] = await planted.stuck('FOLD_COUNTS');
  expect(others).toEqual([]);
  expect(shown).toMatchObject({
    ...{ merchantId: bad, canHurry: true, lastFailure: 'integer out of range' },
  });
  await planted.owner.query('delete from transaction_count where items = 2000000000');
  expect(await planted.hurry('FOLD_COUNTS', shown?.workId ?? '', bad)).toBe(200);
  await run(job);
  expect(await countsOf(bad, '2026-03-01')).toMatchObject({ rows: 1, isFolded: true });
  expect(await planted.stuck('FOLD_COUNTS')).toEqual([]);
});

const mailsTo = async (email: string): Promise<readonly string[]> =>
  (
    await planted.owner.query(
      `select coalesce(detail->>'reference', detail->>'url') as about from person_mail
       where recipient = $1 order by about`,
      [email],
    )
  ).rows.map(({ about }) => about);

/** However long it takes until it is looked at. */
const stayPaused = (work: string) =>
  planted.rows(
    `update work_lease set leased_until = now() + interval '1 hour' where work = $1 and failures > 0`,
    [work],
  );

test('a worker that finds a notice in the hands of another leaves its reason and pause', async () => {
  const { owner, service, rows } = planted;
  const [merchantId = ''] = await merchants(1);
  await signIn(service.tools, { merchantId });
  const ids = [randomUUID(), randomUUID()];
  await owner.query(`
    create function refuse_odd() returns trigger language plpgsql as $$ begin
      raise exception 'odd'; end $$;
    create trigger refuse_odd before insert on person_mail for each row
      when (new.detail->>'reference' = 'ODD') execute function refuse_odd()`);
  for (const [at, reference] of ['ODD', 'EVEN'].entries())
    await rows(
      `insert into member_notice (merchant_id, environment, notice_id, kind, detail)
       values ($1, 'PRODUCTION', $2, 'PAYOUT_FAILED', jsonb_build_object('reference', $3::text))`,
      [merchantId, ids[at], reference],
    );
  const { system } = service.database;
  const waits = () => service.rows('select 1 from pg_locks where not granted');
  let isFirst = true;
  // After it has found both, another worker puts one off, and a third is about to try it again.
  const database: typeof service.database = {
    ...service.database,
    system: async (statement, values) => {
      if (statement.name !== 'member_notice_mail' || !isFirst) return system(statement, values);
      isFirst = false;
      await runOne('mailNotices', service.tools);
      await owner.query('begin');
      await owner.query('select from member_notice where notice_id = $1 for update', [ids[0]]);
      let isDone = false;
      const own = system(statement, values).finally(() => {
        isDone = true;
      });
      own.catch(() => undefined);
      await waitUntil(async () => isDone || (await waits()).length > 0);
      await owner.query('rollback');
      return own;
    },
  };
  await runOne('mailNotices', { ...service.tools, database });
  await stayPaused('NOTICE');
  expect(await planted.stuck('MAIL_NOTICE')).toMatchObject([
    { workId: ids[0], lastFailure: 'odd' },
  ]);
  await owner.query('drop trigger refuse_odd on person_mail; drop function refuse_odd()');
  await owner.query('delete from work_lease; delete from member_notice');
});

test('a notice that cannot be mailed stops no other, of its merchant or of others', async () => {
  const { owner, service } = planted;
  const [first = '', other = ''] = await merchants(2);
  const member = await signIn(service.tools, { merchantId: first });
  const stranger = await signIn(service.tools, { merchantId: other });
  await owner.query(`
    create function refuse_bad() returns trigger language plpgsql as $$ begin
      raise exception 'the detail of this mail cannot be read'; end $$;
    create trigger refuse_bad before insert on person_mail for each row
      when (new.detail->>'reference' = 'BAD') execute function refuse_bad()`);
  const badId = randomUUID();
  const notice = (merchantId: string, id: string, reference: string) =>
    owner.query(
      `insert into member_notice (merchant_id, environment, notice_id, kind, detail)
       values ($1, 'PRODUCTION', $2, 'PAYOUT_FAILED', jsonb_build_object('reference', $3::text))`,
      [merchantId, id, reference],
    );
  await notice(first, randomUUID(), 'ONE');
  await notice(first, badId, 'BAD');
  await notice(other, randomUUID(), 'TWO');
  await notice(first, randomUUID(), 'THREE');
  await run('mailNotices');
  expect(await mailsTo(member.email)).toEqual(['ONE', 'THREE']);
  expect(await mailsTo(stranger.email)).toEqual(['TWO']);
  await stayPaused('NOTICE');
  expect(await planted.stuck('MAIL_NOTICE')).toMatchObject([
    {
      ...{ workId: badId, merchantId: first, canHurry: true },
      lastFailure: 'the detail of this mail cannot be read',
    },
  ]);
  await owner.query('drop trigger refuse_bad on person_mail; drop function refuse_bad()');
  await owner.query(`update work_lease set leased_until = now() where work = 'NOTICE'`);
  await run('mailNotices');
  expect(await mailsTo(member.email)).toEqual(['BAD', 'ONE', 'THREE']);
  expect(await planted.stuck('MAIL_NOTICE')).toEqual([]);
});

test('an endpoint whose failing cannot be counted in hours stops no mail about others', async () => {
  const { owner, service } = planted;
  const [first = '', bad = '', last = ''] = await merchants(3);
  const email = new Map<string, string>();
  const endpoints = new Map<string, string>();
  for (const merchantId of [first, bad, last]) {
    const person = await signIn(service.tools, { merchantId });
    email.set(merchantId, person.email);
    const endpointId = randomUUID();
    endpoints.set(merchantId, endpointId);
    await owner.query(
      `with made as (
         insert into webhook_endpoint (merchant_id, environment, endpoint_id, api_version, url,
           created_at) values ($1, 'SANDBOX', $2, 2, 'https://shop.example', now())),
       chosen as (
         insert into member_notification (merchant_id, environment, person_id, kinds, failing_hours)
         values ($1, 'SANDBOX', $3, '{ENDPOINT_FAILING}', 1))
       insert into webhook_endpoint_health (merchant_id, environment, endpoint_id, failing_since)
       values ($1, 'SANDBOX', $2, now() - interval '2 hours')`,
      [merchantId, endpointId, person.personId],
    );
  }
  await owner.query(
    `insert into tenant_clock (merchant_id, environment, offset_ms)
     values ($1, 'SANDBOX', 9000000000000000000)
     on conflict (merchant_id, environment) do update set offset_ms = excluded.offset_ms`,
    [bad],
  );
  const mailed = async () => {
    const counts = [];
    for (const of of [first, bad, last]) counts.push((await mailsTo(email.get(of) ?? '')).length);
    return counts;
  };
  await run('mailFailingEndpoints');
  expect(await mailed()).toEqual([1, 0, 1]);
  const workId = endpoints.get(bad) ?? '';
  expect(await planted.stuck('MAIL_FAILING_ENDPOINT')).toMatchObject([
    { workId, merchantId: bad, canHurry: true, lastFailure: expect.stringMatching(/out of range/) },
  ]);
  await owner.query('delete from tenant_clock where merchant_id = $1', [bad]);
  expect(await planted.hurry('MAIL_FAILING_ENDPOINT', workId, bad)).toBe(200);
  await run('mailFailingEndpoints');
  expect(await mailed()).toEqual([1, 1, 1]);
});

test('a statement that cannot be mailed keeps no other waiting, and is mailed once it can be', async () => {
  const { owner } = planted;
  const [first = '', bad = '', last = ''] = await merchants(3);
  for (const [at, merchantId] of [first, bad, last].entries())
    await owner.query(
      `insert into statement_mail (merchant_id, environment, emails, month, due_at)
       values ($1, 'SANDBOX', '{a@books.example}', '2026-01-01', now() - $2::int * interval '1 minute')`,
      [merchantId, 9 - at],
    );
  // No time of this tenant can be told.
  await owner.query(
    `insert into tenant_clock (merchant_id, environment, offset_ms)
     values ($1, 'SANDBOX', 9000000000000000000)
     on conflict (merchant_id, environment) do update set offset_ms = excluded.offset_ms`,
    [bad],
  );
  const mailed = async (merchantId: string) =>
    (await planted.rows(`select from mail_outbox where merchant_id = $1`, [merchantId])).length;
  await run('mailStatements');
  for (const merchantId of [first, last]) expect(await mailed(merchantId)).toBeGreaterThan(0);
  expect(await mailed(bad)).toBe(0);
  expect(await planted.stuck('MAIL_STATEMENT')).toMatchObject([
    { workId: bad, merchantId: bad, canHurry: true, lastFailure: expect.stringMatching(/range/) },
  ]);
  await owner.query('delete from tenant_clock where merchant_id = $1', [bad]);
  expect(await planted.hurry('MAIL_STATEMENT', bad, bad)).toBe(200);
  await run('mailStatements');
  expect(await mailed(bad)).toBeGreaterThan(0);
  expect(await planted.stuck('MAIL_STATEMENT')).toEqual([]);
});
