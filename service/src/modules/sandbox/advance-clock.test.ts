import { limits } from '@florin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { SimulatorRail } from '#rails/simulator-rail.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { clockRoutes, type DueSource } from './clock.ts';
import { settingsRoutes } from './sandbox-routes.ts';
import { moveClock } from './store.ts';

const hourMs = 3_600_000;
// Far fewer than the limit of the product: each step is a transaction.
const maxSteps = 250;
type Ran = { readonly name: string; readonly at: number };
const ran: Ran[] = [];
let recomputed = 0;

const businessNow = statement<Tenant, { now: Date }>(
  '',
  sql('merchantId', 'environment')`select business_now(:merchantId, :environment) as now`,
);
const nowOf = async (tenant: Tenant): Promise<Date> => {
  const [row] = await service.database.tenant(tenant.merchantId, businessNow, tenant);
  return row?.now ?? new Date(0);
};

/** Steps one after another: each is known only after the one before. */
const stepsOf = (name: string) => {
  const due: Date[] = [];
  const later: number[] = [];
  const source: DueSource = {
    nextDueAt: async (_, after) => due.find((at) => at > after) ?? null,
    recompute: async () => {
      recomputed += 1;
    },
    runDue: async (tenant) => {
      const now = await nowOf(tenant);
      while (due[0] && due[0] <= now) {
        ran.push({ name, at: due.shift()?.getTime() ?? 0 });
        const nextMs = later.shift();
        if (nextMs !== undefined) due.push(new Date(now.getTime() + nextMs));
      }
    },
  };
  return { due, later, source };
};
const deliveries = stepsOf('delivery');
const expiries = stepsOf('expiry');
const consent = { kind: 'BANK_CONSENT', id: 'consent-1' } as const;

/** A simulator that records how it ages, and can be away. */
const simulator = { isAway: false, aged: [] as { readonly ids: string; readonly by: number }[] };
const simulatorRail: SimulatorRail = {
  advance: async (references, by) => {
    if (simulator.isAway) throw new Error('connect ECONNREFUSED');
    simulator.aged.push({ ids: references.map(({ id }) => id).join(), by });
  },
  forecast: async () => [],
};

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [
      ...settingsRoutes(tools),
      ...clockRoutes({
        ...tools,
        simulatorRail,
        maxSteps,
        dueSources: [
          deliveries.source,
          { ...expiries.source, simulatorReferences: async () => [consent] },
        ],
      }),
    ],
  });
});
afterAll(() => service.close());

const advance = (advanceMs: unknown, secret = service.sandboxSecret) =>
  service.request('POST', '/api/sandbox/clock', { secret, body: { advanceMs } });

describe('advanceSandboxClock', () => {
  test("starts at real time and moves one merchant's clock", async () => {
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    const before = await advance(0, secret);
    expect(before.body).toEqual({ now: expect.any(String), offsetMs: 0, remainingMs: 0 });
    expect(Math.abs(Date.parse(before.body.now) - Date.now())).toBeLessThan(60_000);
    const after = await advance(hourMs, secret);
    expect(after.body).toMatchObject({ offsetMs: hourMs, remainingMs: 0 });
    const moved = Date.parse(after.body.now) - Date.parse(before.body.now);
    expect(moved).toBeGreaterThanOrEqual(hourMs);
    expect((await advance(hourMs, secret)).body.offsetMs).toBe(2 * hourMs);
    expect((await advance(0)).body.offsetMs).toBe(0);
  });

  test('runs due steps in order, each at its own time', async () => {
    const start = await nowOf(service.sandbox);
    const at = (ms: number): Date => new Date(start.getTime() + ms);
    deliveries.due.push(at(hourMs));
    deliveries.later.push(2 * hourMs, 4 * hourMs, 100 * hourMs);
    expiries.due.push(at(2 * hourMs), at(5 * hourMs), at(50 * hourMs));
    const { body } = await advance(10 * hourMs);
    expect(body).toMatchObject({ offsetMs: 10 * hourMs, remainingMs: 0 });
    const hours = ran.map((step) => [step.name, Math.round((step.at - start.getTime()) / hourMs)]);
    expect(hours).toEqual([
      ['delivery', 1],
      ['expiry', 2],
      ['delivery', 3],
      ['expiry', 5],
      ['delivery', 7],
    ]);
    expect(recomputed).toBeGreaterThanOrEqual(6);
  });

  test("moves the simulator's clock with it at each step", async () => {
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    simulator.aged.length = 0;
    expiries.due.length = 0;
    deliveries.due.length = 0;
    deliveries.due.push(new Date(Date.now() + hourMs));
    await advance(3 * hourMs, secret);
    expect(simulator.aged.map(({ ids }) => ids)).toEqual(['consent-1', 'consent-1']);
    const [first, second] = simulator.aged.map(({ by }) => by);
    expect(Math.abs((first ?? 0) - hourMs)).toBeLessThan(60_000);
    expect((first ?? 0) + (second ?? 0)).toBe(3 * hourMs);
  });

  test('stops when the simulator cannot be reached', async () => {
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    simulator.isAway = true;
    const refused = await advance(hourMs, secret);
    simulator.isAway = false;
    expect(refused.body).toMatchObject({ name: 'UNAVAILABLE', status: 503 });
    expect(refused.headers['retry-after']).toBe('2');
    expect((await advance(0, secret)).body.offsetMs).toBe(0);
    expect((await advance(hourMs, secret)).body.offsetMs).toBe(hourMs);
  });

  test('runs concurrent advances one after the other', async () => {
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    await Promise.all([advance(hourMs, secret), advance(hourMs, secret), advance(5, secret)]);
    expect((await advance(0, secret)).body.offsetMs).toBe(2 * hourMs + 5);
  });

  test('stops after many steps and answers what is left', async () => {
    const { secret } = (await service.newMerchant()).secrets.SANDBOX;
    deliveries.due.length = 0;
    const start = Date.now();
    for (let step = 0; step < maxSteps + 10; step += 1)
      deliveries.due.push(new Date(start + 60_000 + step * 1000));
    expiries.due.length = 0;
    const first = await advance(24 * hourMs, secret);
    expect(first.body.remainingMs).toBeGreaterThan(0);
    expect(deliveries.due).toHaveLength(10);
    const rest = await advance(first.body.remainingMs, secret);
    expect(rest.body).toMatchObject({ offsetMs: 24 * hourMs, remainingMs: 0 });
    expect(deliveries.due).toEqual([]);
  });

  test.each([[-1], [1.5], ['3600000'], [null], [undefined], [400 * 24 * hourMs + 1]])(
    'rejects %s',
    async (advanceMs) => {
      const { status, body } = await advance(advanceMs);
      expect([status, body.errors[0].field]).toEqual([400, 'advanceMs']);
    },
  );
});

describe('the far end of the clock', () => {
  const placeAt = (tenant: Tenant, toOffsetMs: number) =>
    service.database.tenant(tenant.merchantId, moveClock, {
      ...tenant,
      toOffsetMs: BigInt(toOffsetMs),
    });
  const dayMs = 24 * hourMs;

  test('is a thousand years away, however many calls lead to it', async () => {
    const { merchantId, secrets } = await service.newMerchant();
    const { secret } = secrets.SANDBOX;
    const farthest = limits.clockAheadMsMax;
    await placeAt({ merchantId, environment: 'SANDBOX' }, farthest - 500 * dayMs);
    expect((await advance(400 * dayMs, secret)).body.offsetMs).toBe(farthest - 100 * dayMs);
    const refused = await advance(100 * dayMs + 1, secret);
    expect(refused).toMatchObject({
      status: 400,
      body: { name: 'BAD_REQUEST', errors: [{ field: 'advanceMs' }] },
    });
    expect(refused.body.message).toContain(`at most ${100 * dayMs} ms further`);
    expect((await advance(0, secret)).body.offsetMs).toBe(farthest - 100 * dayMs);
    const [one, other] = await Promise.all([1, 2].map(() => advance(100 * dayMs, secret)));
    expect([one?.status, other?.status].sort()).toEqual([200, 400]);
    expect((await advance(1, secret)).status).toBe(400);
    const { body } = await advance(0, secret);
    expect(body.offsetMs).toBe(farthest);
    expect(body.now).toMatch(/^30\d\d-/);
  });

  test('is not the year 9999', async () => {
    const { merchantId, secrets } = await service.newMerchant();
    await placeAt({ merchantId, environment: 'SANDBOX' }, 7_973 * 365.25 * dayMs - 300 * dayMs);
    const { status, body } = await advance(400 * dayMs, secrets.SANDBOX.secret);
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'advanceMs']);
  });
});

describe('setSandboxSwitches', () => {
  const set = (body?: unknown) => service.request('POST', '/api/sandbox/switches', { body });

  test('changes what is sent and answers all', async () => {
    const on = {
      ...{ cardsEnabled: true, refundsEnabled: true, payoutsEnabled: true },
      refundsBeforeSettlement: false,
      ordersGuarded: false,
      signsEveryReturn: false,
      repeatsCompleted: false,
    };
    expect((await set()).body).toEqual({ ...on, transferHubPaused: false });
    const changed = await set({ cardsEnabled: false, transferHubPaused: true });
    expect(changed.body).toEqual({ ...on, cardsEnabled: false, transferHubPaused: true });
    expect((await set({})).body).toEqual(changed.body);
  });

  test('keeps refunds on while payouts are on', async () => {
    const refused = await set({ payoutsEnabled: false });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'refundsEnabled']);
    const off = { payoutsEnabled: false, refundsEnabled: false };
    expect((await set(off)).body).toMatchObject(off);
    expect((await set({ refundsEnabled: true })).status).toBe(400);
    expect((await set({ refundsEnabled: true, payoutsEnabled: true })).status).toBe(200);
  });

  test.each([{ cardsEnabled: 'true' }, { refundsEnabled: 1 }, { payoutsEnabled: 'no' }])(
    'rejects %j',
    async (body) => {
      expect((await set(body)).status).toBe(400);
    },
  );
});
