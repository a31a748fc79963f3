import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '#simulator/store/faults.ts';
import {
  type Answer,
  type ApiContext,
  type ApiRequest,
  serveCall,
  storeAnswer,
} from './serve-call.ts';

export const cardFaultOperations = [
  'cards:intent',
  'cards:capture',
  'cards:cancel',
  'cards:session',
  'cards:refund',
  'cards:dispute',
  'cards:file',
  'cards:read',
] as const;
// status-after does the work and then answers the status, as a failing reply path would.
export const cardFaultKinds = [
  'down',
  'slow',
  'cut-before',
  'cut-after',
  'status',
  'status-after',
] as const;

export type CardFaultOperation = (typeof cardFaultOperations)[number];

const defaultDelayMs = 3_000;

// Answers nothing when the connection was cut.
export const injectCardFault = async (
  fault: Fault,
  context: ApiContext,
  request: ApiRequest,
  cut: () => void,
): Promise<Answer | undefined> => {
  switch (fault.kind) {
    case 'cut-before':
      cut();
      return undefined;
    case 'cut-after':
      await serveCall(context, request).catch(() => undefined);
      cut();
      return undefined;
    case 'slow':
      await pause(fault.milliseconds ?? defaultDelayMs);
      return serveCall(context, request);
    case 'down':
      return { ...ordered(503), isReplayed: false };
    case 'status-after': {
      const { status, body } = ordered(fault.status ?? 500);
      return serveCall(context, request, { status, body: JSON.parse(body) as object });
    }
    default:
      return answerOrdered(fault.status ?? 500, context, request);
  }
};

// A server error is stored under its idempotency key; a refusal before any work is not.
const answerOrdered = (
  status: number,
  context: ApiContext,
  request: ApiRequest,
): Promise<Answer> | Answer => {
  const answer = { ...ordered(status), isReplayed: false };
  return status >= 500 ? storeAnswer(context, request, answer) : answer;
};

const ordered = (status: number): { readonly status: number; readonly body: string } => {
  const message = `Answered ${status} on request.`;
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  const error = { type, message, ...(status === 429 && { code: 'rate_limit' }) };
  return { status, body: JSON.stringify({ error }) };
};
