import type { FastifyInstance } from 'fastify';
import type { Log } from '#simulator/log.ts';
import type { Pool } from '#simulator/store/open-pool.ts';
import { type CardFaultRequest, cardControlRoutes } from './card-control-routes.ts';
import { cardRandom } from './open-card-secrets.ts';
import { registerEndpoints } from './operations/endpoints.ts';
import { cardPageRoutes } from './pages/card-page-routes.ts';
import type { CardSecrets, CardTools, Clock } from './ports.ts';
import { eventDeliverer, startScheduler } from './start-scheduler.ts';
import { cardFaults } from './store/card-faults.ts';
import { advanceRecords, cardStore } from './store/card-store.ts';
import { eventStore } from './store/event-store.ts';
import { applyDueChangesOf } from './transaction/commit-changes.ts';
import { openApi } from './wire/api.ts';

export type Cards = {
  // The API of the processor has its own server: its clients use no path prefix.
  readonly api: FastifyInstance;
  pages(app: FastifyInstance): Promise<void>;
  control(app: FastifyInstance): Promise<void>;
  // Moves the clocks of payments and sessions, and applies what becomes due.
  advance(ids: readonly string[], milliseconds: number): Promise<number>;
  injectFault(injectFault: CardFaultRequest): Promise<void>;
  stop(): Promise<void>;
};

type Parts = {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: CardSecrets;
  readonly frontUrl: string;
  readonly webhookUrls: readonly string[];
};

export const openCards = async (parts: Parts): Promise<Cards> => {
  const { pool, clock, log, secrets } = parts;
  const pagesUrl = `${parts.frontUrl}/cards`;
  let wake = (): void => undefined;
  const store = cardStore(pool, () => wake());
  const tools: CardTools = { store, clock, random: cardRandom, secrets, pagesUrl };
  const events = eventStore(pool);
  const faults = cardFaults(pool);
  await registerEndpoints(tools, parts.webhookUrls);
  const context = { tools, events, keysInUse: new Set<string>() };
  const api = await openApi({ context, faults, log });
  const deliverer = eventDeliverer(events, secrets.webhookSecret, clock, log);
  const scheduler = startScheduler(tools, events, deliverer, log);
  wake = scheduler.wake;
  return {
    api,
    pages: (app) => cardPageRoutes(app, tools),
    control: (app) => cardControlRoutes(app, tools),
    advance: async (ids, milliseconds) => {
      const moved = await advanceRecords(pool, ids, milliseconds);
      await applyDueChangesOf(tools, ids);
      return moved;
    },
    injectFault: ({ operation, kind, times = 1, milliseconds, status }) =>
      faults.queue(operation, { kind, milliseconds, status }, times),
    stop: () => scheduler.stop(),
  };
};
