import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { draftOf, emit } from '../../../../../test/webhooks/emit.ts';
import { statement } from '../../../platform/database/statement.ts';
import { merchantRoutes } from '../index.ts';
import { type ClaimedRow, claimDue } from '../store/queue.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import { completeAttempts } from './complete-attempts.ts';
import { notSent } from './outcome.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
});
afterAll(() => service.close());

const readAll = statement<{ endpointId: string }, { state: string; attempts: number }>(
  'test_fence_read',
  'select state, attempts from delivery where endpoint_id = :endpointId order by delivery_id',
);
const readLog = statement<
  { endpointId: string },
  { delivery_id: bigint; outcome: string; superseded: boolean }
>(
  'test_fence_log',
  'select delivery_id, outcome, superseded from webhook_attempt where endpoint_id = :endpointId',
);

const newEndpoint = async (deliveries: number): Promise<string> => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.SANDBOX;
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  const body = { url: 'https://shop.example/', events: ['PAYMENTS_STATUS'] };
  const made = await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  const drafts = Array.from({ length: deliveries }, () => draftOf());
  await emit(service.database, tenant, drafts);
  return made.body.id;
};

type Step =
  | { readonly kind: 'CLAIM'; readonly leaseMs: number }
  | { readonly kind: 'END'; readonly claim: number; readonly succeeds: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('CLAIM' as const), leaseMs: fc.constantFrom(0, 0, 60_000) }),
  fc.record({ kind: fc.constant('END' as const), claim: fc.nat(20), succeeds: fc.boolean() }),
);

const resultOf = (row: ClaimedRow, succeeds: boolean): AttemptResult => ({
  ended: notSent(succeeds ? 'DELIVERED' : 'STATUS', ''),
  row,
  state: succeeds ? 'DELIVERED' : 'PENDING',
  delayMs: 0,
  requestHeaders: null,
  bodySha256: null,
});

/** Two workers' claims, whose leases run out at once, end in any order and at the same moment. */
const play = async (endpointId: string, pairs: readonly (readonly [Step, Step])[]) => {
  const claims: ClaimedRow[] = [];
  const accepted = new Map<string, number>();
  const run = async (one: Step): Promise<void> => {
    if (one.kind === 'CLAIM') {
      const values = { endpointIds: [endpointId], slots: [2], afters: ['-infinity'] };
      const asked = { ...values, leaseMs: one.leaseMs };
      const rows = await service.database.system(claimDue, asked);
      for (const row of rows) {
        const key = `${row.delivery_id}/${row.attempts}`;
        accepted.set(key, (accepted.get(key) ?? 0) + 1);
      }
      claims.push(...rows);
      return;
    }
    const row = claims[one.claim % Math.max(1, claims.length)];
    if (row) await completeAttempts(service.tools, [resultOf(row, one.succeeds)], []);
  };
  for (const pair of pairs) await Promise.all(pair.map(run));
  return [...accepted.values()];
};

test('no two workers hold the same claim, and a stale one changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.tuple(step, step), { minLength: 3, maxLength: 15 }),
      async (deliveries, pairs) => {
        const endpointId = await newEndpoint(deliveries);
        const holders = await play(endpointId, pairs);
        expect(holders.every((count) => count === 1)).toBe(true);
        const log = await service.database.system(readLog, { endpointId });
        const counted = log.filter(
          ({ outcome, superseded }) => !superseded && outcome === 'DELIVERED',
        );
        const delivered = counted.map(({ delivery_id }) => delivery_id);
        expect(new Set(delivered).size).toBe(delivered.length);
        const rows = await service.database.system(readAll, { endpointId });
        expect(rows.filter(({ state }) => state === 'DELIVERED')).toHaveLength(delivered.length);
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);
