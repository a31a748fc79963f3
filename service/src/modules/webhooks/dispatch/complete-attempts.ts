import type { Uses } from '#platform/tools.ts';
import { completeAttempts as complete } from '../store/complete.ts';
import { type GrowingPlans, growingPlans } from '../store/growing-plans.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import type { HealthTally } from './endpoint-health.ts';

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

const timesMost = 5;

export const completeAttempts = async (
  { database }: Uses<'database'>,
  results: readonly AttemptResult[],
  healths: readonly HealthTally[],
  plans: GrowingPlans = growingPlans(),
): Promise<void> => {
  let left = results;
  for (let time = 0; time < timesMost; time += 1) {
    const values = {
      ...mail,
      results: JSON.stringify(left.map(resultRow)),
      healths: JSON.stringify(time === 0 ? healths : []),
    };
    if (left.length === 0 && (time > 0 || healths.length === 0)) return;
    const moved = new Set(
      (await database.system(plans.of(complete), values)).map((row) => row.delivery_id),
    );
    left = left.filter(({ row }) => moved.has(row.delivery_id));
  }
};

const resultRow = (result: AttemptResult) => {
  const { row, timing } = result;
  return {
    merchant_id: row.merchant_id,
    environment: row.environment,
    endpoint_id: row.endpoint_id,
    delivery_id: String(row.delivery_id),
    event_id: row.event_id,
    attempt: row.attempts,
    state: result.state,
    delay_ms: result.delayMs,
    attempted_at: row.attempted_at.toISOString(),
    outcome: result.outcome,
    detail: result.detail,
    status_code: result.status,
    dns_ms: rounded(timing?.dnsMs),
    connect_ms: rounded(timing?.connectMs),
    first_byte_ms: rounded(timing?.firstByteMs),
    total_ms: rounded(timing?.totalMs),
    peer_address: timing?.peer ?? null,
    request_headers: result.requestHeaders && JSON.stringify(masked(result.requestHeaders)),
    body_sha256: result.bodySha256,
    response_headers: result.responseHeaders && JSON.stringify(masked(result.responseHeaders)),
    response_body: result.responseBody?.length ? result.responseBody.toString('base64') : null,
    retry_after_s: result.retryAfterMs === null ? null : Math.ceil(result.retryAfterMs / 1000),
  };
};

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

const masked = (headers: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const shown: Record<string, unknown> = {};
  for (const name in headers) shown[name] = isHidden(name) ? '[hidden]' : headers[name];
  return shown;
};
