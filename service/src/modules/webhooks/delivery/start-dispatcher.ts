import { setTimeout as sleep } from 'node:timers/promises';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { openWebhookNetwork, type WebhookNetwork } from '../endpoints/webhook-network.ts';
import { type AttemptResult, attemptDelivery } from './attempt/attempt-delivery.ts';
import { completeAttempts } from './complete-attempts.ts';
import { type CompletionBatches, completionBatches } from './completion-batches.ts';
import { endpointHealth } from './endpoint-health.ts';
import { timed, type WakeablePause, wakeablePause } from './pacing.ts';
import {
  attemptEnded,
  endpointsDiscovered,
  endpointsDue,
  endpointsResting,
  nextReadyAt,
  type ReadyEndpoints,
  readyEndpoints,
  requestSlots,
  resultsWritten,
  rowsClaimed,
} from './ready-endpoints.ts';
import { type GrowingPlans, growingPlans } from './store/complete.ts';
import {
  type ClaimedRow,
  claimDue,
  claimOverdue,
  discoverReady,
  releaseClaims,
} from './store/queue.ts';
import { cancelWaiting, closedEndpoints, deliveryLeaseMs } from './webhooks-due.ts';

export type DispatcherSettings = {
  readonly webhookNetwork?: WebhookNetwork;
  /** How long to wait for deliveries in flight when the program stops. */
  readonly stopWithinMs?: number;
  readonly leaseMs?: number;
  /** How often it looks for deliveries without a wake. */
  readonly lookEveryMs?: number;
};

export type Dispatcher = {
  /** After a commit: what these endpoints have is delivered at once. */
  readonly wake: (endpointIds?: readonly string[]) => void;
  readonly stop: () => Promise<void>;
};

type DispatcherTools = Uses<'database' | 'clock' | 'ids' | 'secrets' | 'log' | 'config'>;

type Dispatch = {
  readonly tools: DispatcherTools;
  readonly leaseMs: number;
  readonly lookEveryMs: number;
  readonly set: ReadyEndpoints;
  readonly attempt: (row: ClaimedRow) => Promise<AttemptResult>;
  readonly batches: CompletionBatches;
  readonly health: ReturnType<typeof endpointHealth>;
  readonly pause: WakeablePause;
  readonly plans: GrowingPlans;
  /** Claimed and not written yet. */
  readonly claims: Set<ClaimedRow>;
  discoverAt: number;
  overdueAt: number;
  isStopping: boolean;
  isStopped: boolean;
};

const maxInFlight = 256;
const maxPerEndpoint = 8;
const maxPerTenant = 16;
// A look finds another process's events whose wake was lost, and costs little while little is pending.
const discoverEveryMs = 250;
const quietDiscoverEveryMs = 1_000;
const maxDiscoverEveryMs = 5_000;
const discoverShare = 50;
const overdueEveryMs = 30_000;
const maxOverdue = 200;
// With much on its way, a little patience makes one claim of many freed slots.
const batchFrom = 32;
const batchMs = 2;
const failurePauseMs = 100;
const maxFailurePauseMs = 5_000;
const stopWithinMsDefault = 1_000;

/** Delivers what is pending, in any number of processes, until it is stopped. */
export const startDispatcher = (
  tools: DispatcherTools,
  settings: DispatcherSettings = {},
): Dispatcher => {
  const webhookNetwork = settings.webhookNetwork ?? openWebhookNetwork(tools.config);
  const dispatch = openDispatch(tools, webhookNetwork, settings);
  const running = runUntilStopped(dispatch);
  return {
    wake: (endpointIds) => {
      const areKnown = endpointsDue(dispatch.set, endpointIds ?? [], performance.now());
      if (endpointIds === undefined || !areKnown) dispatch.discoverAt = 0;
      dispatch.pause.end();
    },
    stop: async () => {
      dispatch.isStopping = true;
      dispatch.pause.end();
      await running;
      await drain(dispatch, settings.stopWithinMs ?? stopWithinMsDefault);
      if (!settings.webhookNetwork) await webhookNetwork.close();
    },
  };
};

const openDispatch = (
  tools: DispatcherTools,
  webhookNetwork: WebhookNetwork,
  { leaseMs = deliveryLeaseMs, lookEveryMs = discoverEveryMs }: DispatcherSettings,
): Dispatch => {
  const set = readyEndpoints({
    perEndpoint: maxPerEndpoint,
    perTenant: maxPerTenant,
    inFlight: maxInFlight,
  });
  const claims = new Set<ClaimedRow>();
  const pause = wakeablePause();
  const health = endpointHealth();
  const plans = growingPlans();
  const batches = completionBatches({
    healthsWith: (results) => {
      health.add(results);
      return health.take(performance.now());
    },
    write: (completion) =>
      timed('florin_webhook_complete_ms', () => completeAttempts(tools, completion, plans)),
    onWritten: (results) => {
      for (const { row } of results) claims.delete(row);
      resultsWritten(set, results, performance.now());
      pause.end();
    },
    leaseMs,
    log: tools.log,
  });
  const attempt = attemptDelivery({ ...tools, webhookNetwork });
  const overdueAt = performance.now() + overdueEveryMs;
  const times = { discoverAt: 0, overdueAt, isStopping: false, isStopped: false };
  const parts = { set, attempt, batches, health, pause, plans, claims };
  return { tools, leaseMs, lookEveryMs, ...parts, ...times };
};

const runUntilStopped = async (dispatch: Dispatch): Promise<void> => {
  let failures = 0;
  while (!dispatch.isStopping) {
    try {
      await step(dispatch);
      failures = 0;
    } catch (error) {
      failures += 1;
      dispatch.discoverAt = 0;
      dispatch.tools.log.warn({ error: (error as Error).message }, 'the dispatcher will try again');
      const pauseMs = failurePauseMs * 2 ** Math.min(failures, 6);
      await sleep(Math.min(maxFailurePauseMs, pauseMs));
    }
  }
};

const step = async (dispatch: Dispatch): Promise<void> => {
  if (performance.now() >= dispatch.discoverAt) await discover(dispatch);
  if (performance.now() >= dispatch.overdueAt) await giveUpOverdue(dispatch);
  if (!(await claim(dispatch))) {
    const { discoverAt, overdueAt, set } = dispatch;
    const nextAt = Math.min(discoverAt, overdueAt, nextReadyAt(set));
    await dispatch.pause.for(Math.max(0, nextAt - performance.now()));
  }
  if (dispatch.set.inFlight >= batchFrom) await sleep(batchMs);
};

const discover = async (dispatch: Dispatch): Promise<void> => {
  const started = performance.now();
  // A wake meanwhile sets it to 0, and stays: what it is for may be younger than this look.
  dispatch.discoverAt = Infinity;
  const rows = await dispatch.tools.database.system(discoverReady, {});
  const now = performance.now();
  endpointsDiscovered(dispatch.set, rows, now);
  await writeHealth(dispatch);
  metrics.observe('florin_webhook_discover_ms', now - started);
  metrics.set('florin_webhook_endpoints_pending', rows.length);
  metrics.set('florin_webhook_oldest_due_ms', Math.max(0, ...rows.map((row) => -row.due_in_ms)));
  const everyMs = Math.max(dispatch.lookEveryMs, rows.length > 0 ? 0 : quietDiscoverEveryMs);
  const waitMs = Math.max(everyMs, (now - started) * discoverShare);
  const nextAt = now + Math.min(Math.max(maxDiscoverEveryMs, everyMs), waitMs);
  dispatch.discoverAt = Math.min(dispatch.discoverAt, nextAt);
};

/** Health that has waited long enough and came with no batch. */
const writeHealth = async ({ tools, health, plans }: Dispatch, all = false): Promise<void> => {
  const healths = health.take(performance.now(), { all, isAlone: true });
  const left = await completeAttempts(tools, { results: [], healths }, plans);
  health.restore(left.healths);
  if (left.error) throw left.error;
};

const giveUpOverdue = async (dispatch: Dispatch): Promise<void> => {
  const values = { limit: maxOverdue, leaseMs: dispatch.leaseMs };
  dispatch.overdueAt = performance.now() + overdueEveryMs;
  const rows = await dispatch.tools.database.system(claimOverdue, values);
  if (rows.length === maxOverdue) dispatch.overdueAt = 0;
  launch(dispatch, [], rows);
};

const claim = async (dispatch: Dispatch): Promise<boolean> => {
  const requests = requestSlots(dispatch.set, performance.now());
  if (requests.length === 0) return false;
  const values = {
    endpointIds: requests.map(({ endpointId }) => endpointId),
    slots: requests.map(({ slots }) => slots),
    afters: requests.map(({ after }) => after),
    leaseMs: dispatch.leaseMs,
  };
  const rows = await timed('florin_webhook_claim_ms', () =>
    dispatch.tools.database.system(dispatch.plans.of(claimDue), values),
  );
  dispatch.plans.count(rows.length);
  launch(dispatch, requests, rows);
  void clearClosed(dispatch, rows);
  return rows.length > 0;
};

/**
 * Other endpoints are claimed for meanwhile: a closed endpoint may have many deliveries to cancel.
 */
const clearClosed = async (
  { tools, set, pause }: Dispatch,
  rows: readonly ClaimedRow[],
): Promise<void> => {
  const closed = closedEndpoints(rows);
  if (closed.length === 0) return;
  endpointsResting(set, closed);
  const error = await cancelWaiting(tools, rows).catch((failure: Error) => failure);
  if (error) tools.log.warn({ error: error.message }, 'closed endpoints are cleared later');
  const endpointIds = closed.map((row) => row.endpoint_id);
  endpointsDue(set, endpointIds, performance.now() + (error ? maxFailurePauseMs : 0));
  pause.end();
};

const launch = (
  dispatch: Dispatch,
  requests: Parameters<typeof rowsClaimed>[1],
  rows: readonly ClaimedRow[],
): void => {
  // The leases of what came after the last release end by themselves.
  if (dispatch.isStopped) return;
  rowsClaimed(dispatch.set, requests, rows, performance.now());
  metrics.set('florin_webhook_in_flight', dispatch.set.inFlight);
  for (const row of rows) {
    dispatch.claims.add(row);
    void dispatch.attempt(row).then((result) => {
      attemptEnded(dispatch.set, row);
      metrics.set('florin_webhook_in_flight', dispatch.set.inFlight);
      metrics.add('florin_webhook_attempts_total', 1, { outcome: result.ended.outcome });
      dispatch.pause.end();
      // Released already, when the program stopped: the next holder writes the result.
      if (dispatch.claims.has(row)) dispatch.batches.add(result);
    });
  }
};

/** Deliveries in flight may finish; the rest is released as if never claimed. */
const drain = async (dispatch: Dispatch, withinMs: number): Promise<void> => {
  const until = performance.now() + withinMs;
  while (dispatch.set.inFlight > 0 && performance.now() < until) await sleep(10);
  await dispatch.batches.drain();
  await writeHealth(dispatch, true).catch(() => undefined);
  dispatch.isStopped = true;
  const rows = [...dispatch.claims];
  dispatch.claims.clear();
  if (rows.length === 0) return;
  const values = {
    merchantIds: rows.map((row) => row.merchant_id),
    environments: rows.map((row) => row.environment),
    endpointIds: rows.map((row) => row.endpoint_id),
    deliveryIds: rows.map((row) => row.delivery_id),
    attempts: rows.map((row) => row.attempts),
  };
  await dispatch.tools.database.system(releaseClaims, values).catch((error: Error) => {
    dispatch.tools.log.warn({ error: error.message }, 'claims were not released and will expire');
  });
};
