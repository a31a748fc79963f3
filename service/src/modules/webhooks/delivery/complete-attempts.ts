import { limits } from '@florin/contract';
import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';
import {
  DatabaseUnavailable,
  isDeadlock,
  isTimeout,
} from '#platform/database/database-unavailable.ts';
import { errorText } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import { type AttemptResult, notSent } from './attempt/attempt-delivery.ts';
import type { HealthTally } from './endpoint-health.ts';
import {
  completeAttempts as complete,
  type GrowingPlans,
  growingPlans,
  joinedBy,
  type ResultColumns,
} from './store/complete.ts';

/** The columns from which a batch of results is written. */
const resultColumns = (results: readonly AttemptResult[]): ResultColumns => ({
  merchantIds: literal(results.map(({ row }) => row.merchant_id)),
  environments: literal(results.map(({ row }) => row.environment)),
  endpointIds: literal(results.map(({ row }) => row.endpoint_id)),
  deliveryIds: literal(results.map(({ row }) => row.delivery_id)),
  eventWrittenAts: literal(results.map(({ row }) => row.event_written_at)),
  eventIds: literal(results.map(({ row }) => row.event_id)),
  attempts: literal(results.map(({ row }) => row.attempts)),
  states: literal(results.map(({ state }) => state)),
  delaysMs: literal(results.map(({ delayMs }) => delayMs)),
  attemptedAts: literal(results.map(({ row }) => row.attempted_at.toISOString())),
  outcomes: literal(results.map(({ ended }) => ended.outcome)),
  details: results.map(({ ended }) => ended.detail && maskCardNumbers(ended.detail)),
  statusCodes: literal(results.map(({ ended }) => ended.status)),
  dnsMs: literal(results.map(({ ended }) => rounded(ended.timing?.dnsMs))),
  connectMs: literal(results.map(({ ended }) => rounded(ended.timing?.connectMs))),
  firstByteMs: literal(results.map(({ ended }) => rounded(ended.timing?.firstByteMs))),
  totalMs: literal(results.map(({ ended }) => rounded(ended.timing?.totalMs))),
  peerAddresses: results.map(({ ended }) => ended.timing?.peer ?? null),
  requestHeaders: joined(results.map(({ requestHeaders }) => shown(requestHeaders))),
  bodySha256s: literal(results.map(({ bodySha256 }) => bodySha256)),
  responseHeaders: joined(results.map(({ ended }) => masked(ended.responseHeaders))),
  responseBodies: joined(results.map(({ ended }) => storedBody(ended.responseBody))),
  retryAfters: literal(results.map(({ ended }) => seconds(ended.retryAfterMs))),
});

/** Words, numbers, ids and times: nothing that an array literal would have to quote. */
const literal = (values: readonly (string | number | bigint | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

const joined = (texts: readonly (string | null | undefined)[]): string => texts.join(joinedBy);

/** A receiver's answer may hold anything, also a card number: then its bytes are stored as text. */
const storedBody = (body: Buffer | null): string | null => {
  if (body === null || body.length === 0) return null;
  const text = body.toString('utf8');
  const isCut = body.length >= limits.webhookResponseBytes;
  const shown = maskCardNumbers(isCut ? text.replace(numberAtEnd, '') : text);
  return (shown === text ? body : Buffer.from(shown, 'utf8')).toString('base64');
};

// A cut answer may hold most of a number, which is none any more.
const numberAtEnd = /\d(?:[ .-]?\d){6,18}$/;

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.ceil(ms / 1000));

const rounded = (ms: number | null | undefined): number | null =>
  ms === null || ms === undefined ? null : Math.round(ms * 10) / 10;

const hidden = /^(authorization|cookie|set-cookie|proxy-|www-auth)|signature|secret|token/i;

const isHiddenHeader = new Map<string, boolean>();
const rememberedNames = 1_000;

const isHidden = (name: string): boolean => {
  const known = isHiddenHeader.get(name);
  if (known !== undefined) return known;
  const isSecret = hidden.test(name);
  if (isHiddenHeader.size < rememberedNames) isHiddenHeader.set(name, isSecret);
  return isSecret;
};

/** Only the authorization of the request is the merchant's, and it is masked. */
const shown = (headers: Readonly<Record<string, unknown>> | null): string | null => {
  if (headers === null) return null;
  const shown: Record<string, unknown> = {};
  for (const name in headers) shown[name] = isHidden(name) ? '[hidden]' : headers[name];
  return JSON.stringify(shown);
};

const masked = (headers: Readonly<Record<string, unknown>> | null): string | null => {
  const text = shown(headers);
  return text && maskCardNumbers(text);
};

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
