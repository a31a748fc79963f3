import type { IntentRecord } from '../model.ts';
import { approvedAttempt } from './approved-attempt.ts';
import type { Step } from './authorise.ts';

export const cancel = (intent: IntentRecord, reason: string | null, now: number): Step => {
  const attempt = intent.status === 'requires_capture' ? approvedAttempt(intent) : undefined;
  const released = reason === 'automatic' ? 'charge.expired' : 'charge.refunded';
  return {
    intent: {
      ...intent,
      status: 'canceled',
      challenge: null,
      canceledAt: now,
      cancellationReason: reason,
    },
    eventDrafts: [
      ...(attempt ? [{ type: released, id: attempt.id }] : []),
      { type: 'payment_intent.canceled', id: intent.id },
    ],
  };
};
