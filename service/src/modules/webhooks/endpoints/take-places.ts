import { type EventType, failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { Subscribed } from './store/endpoints.ts';

// Each loss of the race means that somebody else took one of the three places of an event type.
const attemptsMost = 4 * limits.webhookEndpointsPerEvent + 1;

/** Runs a statement that takes places; the unique key decides between two that want the same. */
export const takePlaces = async (
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
      if (!isUniqueViolation(error) || attempt >= attemptsMost) throw error;
    }
  }
};

const refuse = (field: 'event' | 'events', { full, unsigned }: Subscribed): void => {
  const [event] = full;
  if (event) throw refusal(field, noPlace[field](event));
  if (unsigned)
    throw refusal(field, 'POS_PAYMENT_STATUS needs a signing secret: generate one first');
};

const most = limits.webhookEndpointsPerEvent;

const noPlace = {
  event: (event: EventType) => `${event} has its one v1 webhook, or its ${most} endpoints, already`,
  events: (event: EventType) => `${event} has its ${most} endpoints already`,
} as const;

const refusal = (field: string, message: string): Failure =>
  new Failure(failures.badRequest, { message: `${message}.`, errors: [{ field, message }] });
