import { limits } from '@florin/contract';
import type { OutboundAnswer, OutboundTiming } from '#platform/outbound-http/post-once.ts';

export type AttemptOutcome = {
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
export const outcomeOf = (answer: OutboundAnswer, now: Date): AttemptOutcome =>
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
