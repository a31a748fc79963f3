import { hash } from 'node:crypto';
import { limits } from '@florin/contract';
import type { OutboundHttp } from '#platform/outbound-http/open-outbound-http.ts';
import type { OutboundAnswer, OutboundTiming } from '#platform/outbound-http/post-once.ts';
import type { Uses } from '#platform/tools.ts';
import { currentTrace, traced } from '#platform/tracing.ts';
import type { WebhookNetwork } from '../../endpoints/webhook-network.ts';
import type { ClaimedRow } from '../store/queue.ts';
import { type EndpointConfig, endpointConfigs } from './endpoint-configs.ts';
import { basicHeader, oauthTokens, TokenRefused } from './oauth-tokens.ts';
import { planRetry } from './plan-retry.ts';
import { type SignedDelivery, signDelivery } from './sign-delivery.ts';

type AttemptOutcome = {
  /** DELIVERED, or the kind of failure in one word. */
  readonly outcome: string;
  /** For operators. */
  readonly detail: string | null;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly timing: OutboundTiming | null;
  readonly responseHeaders: Readonly<Record<string, string | string[] | undefined>> | null;
  readonly responseBody: Buffer | null;
};

export const notSent = (outcome: string, detail: string): AttemptOutcome => ({
  outcome,
  // PostgreSQL stores no NUL, which a name in a certificate may hold.
  detail: detail.replaceAll('\0', '\ufffd'),
  status: null,
  retryAfterMs: null,
  timing: null,
  responseHeaders: null,
  responseBody: null,
});

/** Only 200 is success (WEBHOOK-6). */
const outcomeOf = (answer: OutboundAnswer, now: Date): AttemptOutcome =>
  answer.kind === 'FAILED'
    ? { ...notSent(answer.errorClass, answer.detail), timing: answer.timing }
    : {
        outcome: answer.status === 200 ? 'DELIVERED' : 'STATUS',
        detail: answer.isCut ? 'the answer was cut' : null,
        status: answer.status,
        retryAfterMs: hasRetryAfter(answer.status)
          ? retryAfterMs(answer.headers['retry-after'], now)
          : null,
        timing: answer.timing,
        responseHeaders: answer.headers,
        responseBody: answer.body,
      };

const hasRetryAfter = (status: number): boolean => status === 429 || status === 503;

// Longer than any delivery is tried.
const retryAfterMsMax = limits.webhookDeliveryHours * 60 * 60 * 1000;

/** Seconds or a date; anything else is ignored. */
const retryAfterMs = (header: string | readonly string[] | undefined, now: Date): number | null => {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim();
  if (!text) return null;
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, retryAfterMsMax);
  const date = /^[A-Z][a-z]{2,8},/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return null;
  return Math.min(Math.max(0, date - now.getTime()), retryAfterMsMax);
};

type DeliveryState = 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELLED';

/** The outcome of one claim. */
export type AttemptResult = Sent & {
  readonly row: ClaimedRow;
  readonly state: DeliveryState;
  readonly delayMs: number;
};

type OAuth = Extract<EndpointConfig['authentication'], { kind: 'OAUTH2' }>;

type Sent = {
  readonly ended: AttemptOutcome;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly bodySha256: string | null;
};

type AttemptTools = Uses<'database' | 'secrets' | 'clock' | 'ids' | 'log'> & {
  readonly webhookNetwork: WebhookNetwork;
};

/** Sends a claimed delivery once. Never throws: every error is an outcome. */
export const attemptDelivery = (tools: AttemptTools) => {
  const configOf = endpointConfigs(tools);
  const tokens = oauthTokens();
  const tokenBefore = (until: number, http: OutboundHttp, row: ClaimedRow, of: OAuth) =>
    before(until, tokens.tokenFor(http, row.endpoint_id, of));
  const send = async (row: ClaimedRow): Promise<Sent> => {
    const until = performance.now() + limits.webhookTimeoutMs;
    const config = await configOf(row);
    const signed = await sign(config, row);
    const http = tools.webhookNetwork[row.environment];
    const { authentication } = config;
    if (authentication.kind === 'NONE') return post(http, row, config, signed, null, until);
    if (authentication.kind === 'BASIC') {
      const { username, password } = authentication;
      return post(http, row, config, signed, basicHeader(username, password), until);
    }
    const token = await tokenBefore(until, http, row, authentication);
    const first = await post(http, row, config, signed, `Bearer ${token}`, until);
    if (first.ended.status !== 401) return first;
    await tokens.drop(row.endpoint_id, token);
    const newToken = await tokenBefore(until, http, row, authentication);
    return post(http, row, config, signed, `Bearer ${newToken}`, until);
  };
  const sendTraced = (row: ClaimedRow): Promise<Sent> =>
    traced(
      'webhook',
      { 'florin.request_id': row.request_id ?? '', 'florin.event_id': row.event_id },
      async (note) => {
        const sent = await send(row);
        note({ 'http.response.status_code': sent.ended.status ?? 0 });
        return sent;
      },
      row.traceparent,
    );
  return async (row: ClaimedRow): Promise<AttemptResult> => {
    const started = performance.now();
    const sent = isOver(row) ?? (await sendTraced(row).catch((error) => failed(tools, row, error)));
    return resultOf(tools, row, sent, performance.now() - started);
  };
};

/** A token that arrives too late for this attempt still serves the next. */
const before = async <Value>(until: number, awaited: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new TokenRefused('token endpoint: no answer in time');
    timer = setTimeout(() => reject(error), Math.max(0, until - performance.now()));
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
};

const unsent = (outcome: string, detail: string): Sent => ({
  ended: notSent(outcome, detail),
  requestHeaders: null,
  bodySha256: null,
});

/** Nothing is sent to a deleted or paused endpoint, nor long after its time to one that failed all along. */
const isOver = (row: ClaimedRow): Sent | null => {
  if (row.endpoint_is_deleted) return unsent('CANCELLED', 'the endpoint was deleted');
  if (row.endpoint_is_paused) return unsent('CANCELLED', 'the endpoint is paused');
  if (row.body === null) return unsent('CANCELLED', 'the event is past its time');
  if (row.remaining_ms > 0 || row.failing_since === null) return null;
  return unsent('NOT_SENT', `not sent: endpoint failing since ${row.failing_since.toISOString()}`);
};

const failed = (tools: AttemptTools, row: ClaimedRow, error: unknown): Sent => {
  if (error instanceof TokenRefused) return unsent('AUTH', error.message);
  const { message } = error as Error;
  const deliveryId = String(row.delivery_id);
  tools.log.error({ deliveryId, error: message }, 'a delivery failed before it was sent');
  return unsent('INTERNAL', message.slice(0, 300));
};

const sign = async (config: EndpointConfig, row: ClaimedRow): Promise<SignedDelivery> =>
  signDelivery(
    {
      eventId: row.event_id,
      eventType: row.event_type ?? 'PAYMENTS_STATUS',
      sequence: row.sequence ?? 0,
      body: row.body ?? '{}',
      requestId: row.request_id,
      traceparent: currentTrace() ?? row.traceparent,
    },
    await config.keysFor(row),
    {
      deliveryId: String(row.delivery_id),
      attempt: row.attempts,
      // Real time, whatever the sandbox clock: receivers compare it with their own.
      timestamp: Math.floor(row.claimed_at.getTime() / 1000),
    },
  );

const post = async (
  http: OutboundHttp,
  row: ClaimedRow,
  { url }: EndpointConfig,
  { body, headers }: SignedDelivery,
  authorization: string | null,
  until: number,
): Promise<Sent> => {
  const requestHeaders = authorization === null ? headers : { ...headers, authorization };
  const answer = await http.post({
    url,
    headers: requestHeaders,
    body,
    timeoutMs: Math.max(1, until - performance.now()),
    responseBytes: limits.webhookResponseBytes,
  });
  const bodySha256 = hash('sha256', body, 'hex');
  return { ended: outcomeOf(answer, row.claimed_at), requestHeaders, bodySha256 };
};

const finalOutcomes: Readonly<Record<string, DeliveryState>> = {
  DELIVERED: 'DELIVERED',
  CANCELLED: 'CANCELLED',
  NOT_SENT: 'EXHAUSTED',
};

const resultIn = (
  state: DeliveryState,
  row: ClaimedRow,
  { ended, requestHeaders, bodySha256 }: Sent,
  delayMs = 0,
): AttemptResult => ({ row, state, delayMs, ended, requestHeaders, bodySha256 });

const resultOf = (
  { ids }: AttemptTools,
  row: ClaimedRow,
  sent: Sent,
  tookMs: number,
): AttemptResult => {
  const { ended } = sent;
  const final = finalOutcomes[ended.outcome];
  if (final) return resultIn(final, row, sent);
  const random = ids.bytes(4);
  const delayMs = planRetry({
    attempt: row.attempts,
    remainingMs: row.remaining_ms - tookMs,
    retryAfterMs: ended.retryAfterMs,
    jitter: random.readUInt16LE(0) / 0xffff,
    spread: random.readUInt16LE(2) / 0xffff,
  });
  return delayMs === null
    ? resultIn('EXHAUSTED', row, sent)
    : resultIn('PENDING', row, sent, delayMs);
};
