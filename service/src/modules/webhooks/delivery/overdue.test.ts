import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { emitMany } from '../../../../../test/webhooks/emit.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { merchantRoutes, openWebhookNetwork, type WebhookNetwork } from '../index.ts';
import { attemptDelivery } from './attempt/attempt-delivery.ts';
import { completeAttempts } from './complete-attempts.ts';
import { healthOf } from './endpoint-health.ts';
import { claimOverdue } from './store/queue.ts';

let service: TestService;
let webhookNetwork: WebhookNetwork;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
  webhookNetwork = openWebhookNetwork(service.tools.config);
});
afterAll(async () => {
  await webhookNetwork.close();
  await service.close();
});

const age = statement<{ endpointId: string; limit: number }, never>(
  'test_overdue_age',
  sql('endpointId', 'limit')`
   with health as (
     update webhook_endpoint_health set failing_since = now() - interval '26 hours'
     where endpoint_id = :endpointId)
   update delivery set created_at = created_at - interval '25 hours',
     due_at = due_at - interval '25 hours', due_business_at = due_business_at - interval '25 hours',
     deadline_business_at = deadline_business_at - interval '25 hours'
   where delivery_id in (select delivery_id from delivery where endpoint_id = :endpointId
     order by delivery_id limit :limit)`,
);

test('deliveries that waited a day behind a failing endpoint are given up unsent', async () => {
  const body = { url: 'http://127.0.0.1:4001/', events: ['PAYMENTS_STATUS'] };
  const path = '/api/webhook/v2/endpoints';
  const endpointId = (await service.request('POST', path, { body })).body.id;
  await emitMany(service.database, service.sandbox, 4);
  await service.database.system(age, { endpointId, limit: 3 });
  const values = { limit: 100, leaseMs: 20_000 };
  const rows = await service.database.system(claimOverdue, values);
  expect(rows).toHaveLength(3);
  const attempt = attemptDelivery({ ...service.tools, webhookNetwork });
  const results = await Promise.all(rows.map(attempt));
  await completeAttempts(service.tools, { results, healths: healthOf(results) });
  expect(await service.database.system(claimOverdue, values)).toEqual([]);
  const { data } = (await service.request('GET', `${path}/${endpointId}/deliveries`)).body;
  const seen = data.map((one: { state: string; lastError: string | null }) => [
    one.state,
    one.lastError,
  ]);
  const givenUp = ['EXHAUSTED', 'NOT_SENT'];
  expect(seen).toEqual([['PENDING', null], givenUp, givenUp, givenUp]);
  const mails = (await service.request('GET', '/api/webhook/mails')).body;
  expect(mails).toHaveLength(1);
  expect(mails[0].text).toContain('Events not delivered: 4');
});
