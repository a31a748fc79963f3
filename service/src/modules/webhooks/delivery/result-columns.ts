import { limits } from '@florin/contract';
import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';
import type { AttemptResult } from './attempt/attempt-delivery.ts';
import { joinedBy, type ResultColumns } from './store/complete.ts';

/** The columns from which a batch of results is written. */
export const resultColumns = (results: readonly AttemptResult[]): ResultColumns => ({
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
