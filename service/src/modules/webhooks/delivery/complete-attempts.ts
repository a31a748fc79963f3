import {
  DatabaseUnavailable,
  isDeadlock,
  isTimeout,
} from '#platform/database/database-unavailable.ts';
import { errorText } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import type { AttemptResult } from './attempt/attempt-delivery.ts';
import { notSent } from './attempt/attempt-outcome.ts';
import type { HealthTally } from './endpoint-health.ts';
import { resultColumns } from './result-columns.ts';
import { completeAttempts as complete } from './store/complete.ts';
import { type GrowingPlans, growingPlans } from './store/growing-plans.ts';

const mail = {
  mailSubject: 'Webhook deliveries to {url} have stopped',
  mailText: `Deliveries to this {environment} webhook endpoint have failed for 24 hours, so that we gave
events up that could not be delivered:

  {url}

Failing since: {since}
Last error: {error}
Events not delivered: {count}

New events are still tried. Once the endpoint answers 200 again, deliver what was missed with
POST /api/webhook/v2/endpoints/{endpoint}/replay and the body {"onlyFailed": true}.
`,
};

const maxTimes = 5;

/** Results, and the health of endpoints that is written with them. */
export type Completion = {
  readonly results: readonly AttemptResult[];
  readonly healths: readonly HealthTally[];
};

/** Not written: the database could not be reached, so the same may be written later. */
export type Unwritten = Completion & { readonly error: Error | null };

/**
 * Writes the results of many merchants in one statement. If that fails its halves are written, down to
 * the one that is bad, which is recorded without what its endpoint said and with the reason.
 */
export const completeAttempts = async (
  tools: Uses<'database' | 'log'>,
  completion: Completion,
  plans: GrowingPlans = growingPlans(),
): Promise<Unwritten> => {
  try {
    await write(tools, completion, plans);
    return written;
  } catch (cause) {
    const error = cause as Error;
    if (isTransient(error)) return { ...completion, error };
    const parts = partsOf(completion, isTimeout(error));
    if (parts.length < 2) return completeAlone(tools, completion, error, plans);
    const left = await Promise.all(parts.map((part) => completeAttempts(tools, part, plans)));
    return {
      results: left.flatMap(({ results }) => results),
      healths: left.flatMap(({ healths }) => healths),
      error: left.find((each) => each.error)?.error ?? null,
    };
  }
};

const written: Unwritten = { results: [], healths: [], error: null };

/** A wait for a row that is locked may be one endpoint's alone. */
const isTransient = (error: Error): boolean =>
  isDeadlock(error) || (error instanceof DatabaseUnavailable && !isTimeout(error));

const write = async (
  { database }: Uses<'database'>,
  { results, healths }: Completion,
  plans: GrowingPlans,
): Promise<void> => {
  let left = results;
  for (let time = 0; time < maxTimes; time += 1) {
    const values = {
      ...mail,
      ...resultColumns(left),
      healths: JSON.stringify(time === 0 ? healths : []),
    };
    if (left.length === 0 && (time > 0 || healths.length === 0)) return;
    const moved = new Set(
      (await database.system(plans.of(complete), values)).map((row) => row.delivery_id),
    );
    left = left.filter(({ row }) => moved.has(row.delivery_id));
  }
};

/** Halves by endpoint, because its health is written with its results; each by itself if all must wait. */
const partsOf = ({ results, healths }: Completion, isEachAlone: boolean): readonly Completion[] => {
  const endpointIds = [
    ...new Set([
      ...results.map(({ row }) => row.endpoint_id),
      ...healths.map((health) => health.endpoint_id),
    ]),
  ];
  if (endpointIds.length > 1)
    return chunksOf(endpointIds, isEachAlone).map((part) => {
      const ids = new Set(part);
      return {
        results: results.filter(({ row }) => ids.has(row.endpoint_id)),
        healths: healths.filter((health) => ids.has(health.endpoint_id)),
      };
    });
  return chunksOf(results, isEachAlone).map((part, index) => ({
    results: part,
    healths: index === 0 ? healths : healths.map(withoutCounts),
  }));
};

const chunksOf = <Item>(items: readonly Item[], isEachAlone: boolean): readonly Item[][] => {
  const size = isEachAlone ? 1 : Math.ceil(items.length / 2);
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
};

/** Counted with another part; deliveries that are given up are counted by the statement. */
const withoutCounts = (health: HealthTally): HealthTally => ({
  ...health,
  ...{ failed: 0, attempts: 0, delivered: 0, took_ms: 0, slowest_ms: 0 },
});

const completeAlone = async (
  tools: Uses<'database' | 'log'>,
  { results, healths }: Completion,
  error: Error,
  plans: GrowingPlans,
): Promise<Unwritten> => {
  const [result] = results;
  const [health] = healths;
  if (isTimeout(error)) return { results, healths, error };
  const endpointId = result?.row.endpoint_id ?? health?.endpoint_id;
  const fields = { endpointId, deliveryId: String(result?.row.delivery_id), error: error.message };
  tools.log.error(fields, 'a result of a delivery could not be recorded as it came');
  if (!result) return written;
  const plain = [withoutAnswer(result, error)];
  for (const tried of [healths, []])
    try {
      await write(tools, { results: plain, healths: tried }, plans);
      return written;
    } catch (cause) {
      if (isTransient(cause as Error))
        return { results: plain, healths: tried, error: cause as Error };
    }
  tools.log.error(fields, 'a result of a delivery is lost: it is sent again when its lease ends');
  return written;
};

/** What happened stays true: a delivery that arrived is not sent again. */
const withoutAnswer = (result: AttemptResult, error: Error): AttemptResult => {
  const { outcome, status } = result.ended;
  const isStatus = status !== null && status >= 100 && status <= 999;
  const detail = `the answer could not be recorded: ${errorText(error)}`;
  return {
    ...result,
    ended: { ...notSent(outcome, detail), status: isStatus ? status : null },
    requestHeaders: null,
  };
};
