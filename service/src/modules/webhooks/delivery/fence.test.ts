import fc from 'fast-check';
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
import { type ClaimedRow, claimDue } from './store/queue.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
});
afterAll(() => service.close());

const readAll = statement<{ endpointId: string }, { state: string; attempts: number }>(
  'test_fence_read',
  sql(
    'endpointId',
  )`select state, attempts from delivery where endpoint_id = :endpointId order by delivery_id`,
);
const readLog = statement<
  { endpointId: string },
  { delivery_id: bigint; claim: string; outcome: string; superseded: boolean }
>(
  'test_fence_log',
  sql('endpointId')`
   select delivery_id, concat(delivery_id, '/', attempt_no) as claim, outcome, superseded
   from webhook_attempt where endpoint_id = :endpointId`,
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

const keyOf = (row: ClaimedRow): string => `${row.delivery_id}/${row.attempts}`;

type Game = {
  readonly endpointId: string;
  readonly claims: ClaimedRow[];
  readonly newest: Map<bigint, ClaimedRow>;
  /** The worker whose lease on a delivery is valid. */
  readonly leases: Map<bigint, string>;
  /** How many got each claim. */
  readonly holders: Map<string, number>;
  /** Claimed while another's lease still ran. */
  readonly robbed: string[];
  /** How often a claim was ended that a later one had replaced. */
  readonly staleEnds: Map<string, number>;
};

const newGame = (endpointId: string): Game => ({
  endpointId,
  claims: [],
  newest: new Map(),
  leases: new Map(),
  holders: new Map(),
  robbed: [],
  staleEnds: new Map(),
});

const count = (times: Map<string, number>, key: string) =>
  times.set(key, (times.get(key) ?? 0) + 1);

const isOlder = ({ newest }: Game, row: ClaimedRow): boolean =>
  row.attempts < (newest.get(row.delivery_id)?.attempts ?? 0);

const claim = async (game: Game, leaseMs: number): Promise<readonly ClaimedRow[]> => {
  const values = { endpointIds: [game.endpointId], slots: [2], afters: ['-infinity'], leaseMs };
  const rows = await service.database.system(claimDue, values);
  for (const row of rows) count(game.holders, keyOf(row));
  game.robbed.push(...rows.filter((row) => game.leases.has(row.delivery_id)).map(keyOf));
  return rows;
};

const addClaims = (game: Game, rows: readonly ClaimedRow[], leaseMs: number): void => {
  game.claims.push(...rows);
  for (const row of rows.filter((each) => !isOlder(game, each))) {
    game.newest.set(row.delivery_id, row);
    if (leaseMs > 0) game.leases.set(row.delivery_id, keyOf(row));
  }
};

/** Only the holder of the lease can release it. */
const noteEnd = (game: Game, row: ClaimedRow): void => {
  if (isOlder(game, row)) count(game.staleEnds, keyOf(row));
  if (game.leases.get(row.delivery_id) === keyOf(row)) game.leases.delete(row.delivery_id);
};

/**
 * Two workers' claims, whose leases end at once or never, complete in any order and concurrently.
 */
const playPair = async (game: Game, pair: readonly Step[]): Promise<void> => {
  const known = [...game.claims];
  const runs = pair.map((one) => {
    if (one.kind === 'CLAIM')
      return async () => ({ rows: await claim(game, one.leaseMs), leaseMs: one.leaseMs });
    const row = known[one.claim % Math.max(1, known.length)];
    if (row) noteEnd(game, row);
    return async () => {
      if (row)
        await completeAttempts(service.tools, {
          results: [resultOf(row, one.succeeds)],
          healths: [],
        });
      return { rows: [], leaseMs: 0 };
    };
  });
  const made = await Promise.all(runs.map((run) => run()));
  for (const { rows, leaseMs } of made) addClaims(game, rows, leaseMs);
};

test('two workers never hold the same claim, and a stale claim changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.tuple(step, step), { minLength: 3, maxLength: 15 }),
      async (deliveries, pairs) => {
        const endpointId = await newEndpoint(deliveries);
        const game = newGame(endpointId);
        for (const pair of pairs) await playPair(game, pair);
        expect([...game.holders.values()].every((holders) => holders === 1)).toBe(true);
        expect(game.robbed).toEqual([]);
        const log = await service.database.system(readLog, { endpointId });
        for (const [key, times] of game.staleEnds) {
          const superseded = log.filter((one) => one.superseded && one.claim === key);
          expect(superseded.length).toBeGreaterThanOrEqual(times);
        }
        const counted = log.filter(
          ({ outcome, superseded }) => !superseded && outcome === 'DELIVERED',
        );
        const delivered = counted.map(({ delivery_id }) => delivery_id);
        expect(new Set(delivered).size).toBe(delivered.length);
        const rows = await service.database.system(readAll, { endpointId });
        expect(rows.filter(({ state }) => state === 'DELIVERED')).toHaveLength(delivered.length);
      },
    ),
    { numRuns: 60 },
  );
});
