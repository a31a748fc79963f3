import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { limits } from '@florin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchCredits } from '../../service/src/modules/credits/credits.ts';
import { erasureJobs } from '../../service/src/modules/erasure/jobs.ts';
import { paymentJobs } from '../../service/src/modules/payments/jobs.ts';
import { foldDays } from '../../service/src/modules/search/jobs.ts';
import {
  credit,
  erasure,
  paymentRequest,
  poll,
} from '../../service/src/modules/stuck-work/test/planted-work.ts';
import { loadStatements } from '../../tools/describe/describe-statements.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';
import { sharedWork } from './shared-work.ts';

let isolation: Isolation;
beforeAll(async () => {
  isolation = await openIsolation();
});
afterAll(() => isolation.close());

const ofOneTenant = /:(merchantIds?|environment)\b/;
const takesDueRows =
  /skip locked|from work_lease l|_(at|by|until|from) <=? (statement_timestamp|now)\(\)/;

/** Of the statements that take some rows of both environments, those in which these have no share. */
const withoutShare = async (): Promise<readonly string[]> =>
  (await loadStatements(fileURLToPath(new URL('../../', import.meta.url))))
    .filter(({ sql }) => /\blimit\b/.test(sql) && takesDueRows.test(sql) && !ofOneTenant.test(sql))
    .filter(({ sql }) => !sql.includes('share.of_environment'))
    .map(({ name }) => name);

test('every claim has a share for each environment, or a reason why it needs none', async () => {
  expect([...(await withoutShare())].sort()).toEqual(Object.keys(sharedWork.withoutShare).sort());
});

type Values = Readonly<Record<string, string>>;
type Plant = (values: Values) => (ids: { workId: string; merchantId: string }) => string;

/** More than any claim takes at once. */
const backlog = 1_100;
const anHourAgo = `now() - interval '1 hour'`;
const justNow = `now() - interval '1 second'`;
const isLeased = (table: string, id: string) =>
  `select leased_until is not null as done from ${table} where ${id} = $1`;

const work: readonly (readonly [
  string,
  Plant,
  (due: string) => Values,
  (tools: Isolation['service']['tools']) => Promise<unknown>,
  string,
])[] = [
  [
    'matchCredits',
    credit,
    (due) => ({ due_at: due, is_returned: 'true' }),
    (tools) => matchCredits(tools),
    `select status = 'UNMATCHED' as done from account_credit where credit_id = $1`,
  ],
  [
    'eraseDeletedCustomers',
    erasure,
    (due) => ({ due_at: due }),
    async (tools) => erasureJobs(tools)[0]?.run(),
    'select done_at is not null as done from erasure where customer_id = $1',
  ],
  [
    'expirePaymentRequests',
    paymentRequest,
    (due) => ({ expires_at: due }),
    (tools) => paymentJobs(tools).expirePaymentRequests(),
    `select true as done from work_lease where subject_id = $1
     union all select status <> 'OPEN' from payment_request where payment_request_id = $1`,
  ],
  [
    'pollBanks',
    poll,
    (due) => ({ poll_at: due, method: `'PAY_BY_BANK'`, institution_id: 'gen_random_uuid()' }),
    (tools) => paymentJobs(tools).pollBanks(),
    isLeased('attempt_poll', 'attempt_id'),
  ],
];

test.each(work)('a backlog of the sandbox keeps no production work waiting: %s', async (...of) => {
  const [, made, due, run, isDone] = of;
  const { service, owner, plant, rows, merchantId, otherId } = isolation;
  const sandbox = made(due(anHourAgo));
  await owner.query(
    Array.from({ length: backlog }, () => sandbox({ workId: randomUUID(), merchantId })).join(''),
  );
  const id = await plant(made({ ...due(justNow), environment: `'PRODUCTION'` }), otherId);
  await run(service.tools);
  expect((await rows(isDone, [id])).some(({ done }) => done)).toBe(true);
});

test('days of production that can be summed up keep no day of the sandbox waiting', async () => {
  const { service, merchantId, otherId, rows } = isolation;
  await rows(
    `insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
       amount_pence)
     select $1::uuid, 'PRODUCTION', date '2026-01-01' + n, $1::uuid, 'CARD', 'COMPLETED', 1, 100
     from generate_series(1, 150) n, generate_series(1, 3)
     union all select $2::uuid, 'SANDBOX', date '2026-01-01', $2::uuid, 'CARD', 'COMPLETED', 1, 100
     from generate_series(1, 2)`,
    [merchantId, otherId],
  );
  await foldDays(service.tools, 1);
  expect(
    await rows(`select is_folded from transaction_count where merchant_id = $1`, [otherId]),
  ).toEqual([{ is_folded: true }]);
});

test('receipts of the sandbox that wait hide none of production that failed', async () => {
  const { service, merchantId, rows } = isolation;
  await rows(
    `insert into receipt_mail (merchant_id, environment, attempt_id, position, payment_request_id,
       recipient_encrypted, subject, body_text, body_html, due_at, last_error)
     select $1, r.environment, gen_random_uuid(), 1, $1, '\\x00', 's', 't', 'h',
       now() - r.due, r.error
     from (select 'SANDBOX' as environment, interval '1 hour' as due, null as error
         from generate_series(1, $2::int)
       union all select 'PRODUCTION', interval '1 minute', 'refused') r`,
    [merchantId, limits.stuckScanMax],
  );
  const { body } = await service.operate('GET', '/failed-mails');
  expect(body.data).toMatchObject([{ source: 'RECEIPT', environment: 'PRODUCTION' }]);
});
