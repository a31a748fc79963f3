import { type EventType, limits } from '@florin/contract';
import type { Failure } from '#kernel/failure.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Subscribed } from './store/endpoints.ts';

// Each lost race means that another endpoint took one of the three slots of an event type.
const maxAttempts = 4 * limits.webhookEndpointsPerEvent + 1;

/** Runs a statement that takes slots; the unique key decides between two that want the same. */
export const takeSlots = async (
  field: 'event' | 'events',
  take: () => Promise<readonly Subscribed[]>,
): Promise<boolean> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [taken] = await take();
      if (!taken) throw new Error('no answer about places');
      refuse(field, taken);
      return taken.done;
    } catch (error) {
      if (!isUniqueViolation(error) || attempt >= maxAttempts) throw error;
    }
  }
};

const refuse = (field: 'event' | 'events', { full, unsigned }: Subscribed): void => {
  const [event] = full;
  if (event) throw refusal(field, noSlot[field](event));
  if (unsigned)
    throw refusal(field, 'POS_PAYMENT_STATUS needs a signing secret: generate one first');
};

const limit = limits.webhookEndpointsPerEvent;

const noSlot = {
  event: (event: EventType) =>
    `${event} has its one v1 webhook, or its ${limit} endpoints, already`,
  events: (event: EventType) => `${event} has its ${limit} endpoints already`,
} as const;

const refusal = (field: string, message: string): Failure =>
  badField(field, message, `${message}.`);
