import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { draftOf, emit } from '../../../../../test/webhooks/emit.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { merchantRoutes } from '../index.ts';
import { type AttemptResult, notSent } from './attempt/attempt-delivery.ts';
import { completeAttempts } from './complete-attempts.ts';
import { healthOf } from './endpoint-health.ts';
import { type ClaimedRow, claimDue } from './store/queue.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
});
afterAll(() => service.close());

type Written = {
  readonly state: string;
  readonly last_error: string | null;
  readonly detail: string | null;
  readonly times: number;
  readonly attempts: number | null;
};

const readWritten = statement<{ readonly endpointIds: readonly string[] }, Written>(
  'test_results_written',
  sql('endpointIds')`
   select d.state, d.last_error, max(a.detail) as detail, count(a.*)::int as times,
     (select sum(h.attempts)::int from webhook_hour h where h.endpoint_id = d.endpoint_id) as attempts
   from unnest(:endpointIds::uuid[]) with ordinality as e (endpoint_id, position)
   join delivery d on d.endpoint_id = e.endpoint_id
   left join webhook_attempt a on a.delivery_id = d.delivery_id
   group by e.position, d.endpoint_id, d.state, d.last_error order by e.position`,
);

/** One claimed delivery each of so many merchants. */
const claimOfEach = async (merchants: number): Promise<readonly ClaimedRow[]> => {
  const endpointIds: string[] = [];
  for (let count = 0; count < merchants; count += 1) {
    const merchant = await service.newMerchant();
    const { secret } = merchant.secrets.SANDBOX;
    const body = { url: 'https://shop.example/', events: ['PAYMENTS_STATUS'] };
    const made = await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
    endpointIds.push(made.body.id);
    const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
    await emit(service.database, tenant, [draftOf()]);
  }
  const rows = await service.database.system(claimDue, {
    ...{ endpointIds, slots: endpointIds.map(() => 1), leaseMs: 60_000 },
    afters: endpointIds.map(() => '-infinity'),
  });
  return endpointIds.map((id) => rows.find((row) => row.endpoint_id === id) as ClaimedRow);
};

const delivered = (row: ClaimedRow, changes: Partial<AttemptResult['ended']>): AttemptResult => ({
  ended: { ...notSent('DELIVERED', ''), detail: null, status: 200, ...changes },
  row,
  state: 'DELIVERED',
  delayMs: 0,
  requestHeaders: null,
  bodySha256: null,
});

const spoiled: readonly (readonly [string, Partial<AttemptResult['ended']>])[] = [
  ['a pause that no column holds', { retryAfterMs: 1e15 }],
  ['a text that is none', { detail: 'says \0' }],
  ['a status that is none', { status: 99_999 }],
];

test.each(spoiled)('%s harms no other result, and is shown', async (_, changes) => {
  const rows = await claimOfEach(7);
  const results = rows.map((row, index) => delivered(row, index === 3 ? changes : {}));
  await completeAttempts(service.tools, { results, healths: healthOf(results) });
  const written = await service.database.system(readWritten, {
    endpointIds: rows.map((row) => row.endpoint_id),
  });
  const good = { state: 'DELIVERED', last_error: null, times: 1, attempts: 1 };
  const bad = { ...good, detail: expect.stringMatching(/could not be recorded: ./) };
  expect(written).toEqual(rows.map((__, at) => (at === 3 ? bad : { ...good, detail: null })));
});

test('health that cannot be written costs nobody a result', async () => {
  const rows = await claimOfEach(5);
  const results = rows.map((row) => delivered(row, {}));
  const healths = healthOf(results).map((health, index) =>
    index === 2 ? { ...health, attempts: 1e12 } : health,
  );
  await completeAttempts(service.tools, { results, healths });
  const endpointIds = rows.map((row) => row.endpoint_id);
  const written = await service.database.system(readWritten, { endpointIds });
  expect(written.map(({ state, times, attempts }) => [state, times, attempts])).toEqual([
    ['DELIVERED', 1, 1],
    ['DELIVERED', 1, 1],
    ['DELIVERED', 1, null],
    ['DELIVERED', 1, 1],
    ['DELIVERED', 1, 1],
  ]);
});

const plantGivenUp = statement<{ readonly endpointId: string; readonly rows: number }, never>(
  'test_plant_given_up',
  sql('endpointId', 'rows')`
   insert into delivery (merchant_id, environment, endpoint_id, event_id, state, due_at,
     due_business_at, deadline_business_at, created_at, completed_at)
   select e.merchant_id, e.environment, e.endpoint_id, gen_random_uuid(), 'EXHAUSTED', now(),
     now(), now(), now(), now()
   from webhook_endpoint e, generate_series(1, :rows::int) where e.endpoint_id = :endpointId`,
);
const readMail = statement<{ readonly endpointId: string }, { readonly body: string }>(
  'test_read_exhausted_mail',
  sql('endpointId')`select body from mail_outbox where body like '%' || :endpointId::text || '%'`,
);

test('the mail of an outage counts no further than a thousand', async () => {
  const rows = await claimOfEach(2);
  const [few = '', many = ''] = rows.map((row) => row.endpoint_id);
  await service.database.system(plantGivenUp, { endpointId: few, rows: 20 });
  await service.database.system(plantGivenUp, { endpointId: many, rows: 1_100 });
  const results = rows.map(
    (row): AttemptResult => ({
      ...delivered(row, {}),
      ended: notSent('STATUS', ''),
      state: 'EXHAUSTED',
    }),
  );
  await completeAttempts(service.tools, { results, healths: healthOf(results) });
  const counted = async (endpointId: string) => {
    const [mail] = await service.database.system(readMail, { endpointId });
    return /Events not delivered: (.*)/.exec(mail?.body ?? '')?.[1];
  };
  expect(await counted(few)).toBe('21');
  expect(await counted(many)).toBe('more than 1000');
});
