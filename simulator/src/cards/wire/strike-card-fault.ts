import { setTimeout as pause } from 'node:timers/promises';
import type { CardFault } from '../books/card-faults.ts';
import { type Answer, type Asked, keepAnswer, type Office, serveCall } from './serve-call.ts';

const usualSlownessMs = 3_000;

// Nothing is answered where the line was cut.
export const strikeCardFault = async (
  fault: CardFault,
  office: Office,
  asked: Asked,
  cut: () => void,
): Promise<Answer | undefined> => {
  switch (fault.kind) {
    case 'cut-before':
      cut();
      return undefined;
    case 'cut-after':
      await serveCall(office, asked).catch(() => undefined);
      cut();
      return undefined;
    case 'slow':
      await pause(fault.milliseconds ?? usualSlownessMs);
      return serveCall(office, asked);
    case 'down':
      return { ...ordered(503), isReplayed: false };
    case 'status':
      return answerOrdered(fault.status ?? 500, office, asked);
    case 'status-after': {
      const { status, body } = ordered(fault.status ?? 500);
      return serveCall(office, asked, { status, body: JSON.parse(body) as object });
    }
  }
};

// A server error stays the answer to its idempotency key; a refusal at the door leaves no trace.
const answerOrdered = (status: number, office: Office, asked: Asked): Promise<Answer> | Answer => {
  const answer = { ...ordered(status), isReplayed: false };
  return status >= 500 ? keepAnswer(office, asked, answer) : answer;
};

const ordered = (status: number): { readonly status: number; readonly body: string } => {
  const message = `Answered ${status} on request.`;
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  const error = { type, message, ...(status === 429 && { code: 'rate_limit' }) };
  return { status, body: JSON.stringify({ error }) };
};
