import type { FastifyInstance } from 'fastify';
import type { Pool } from '#simulator/books/pool.ts';
import type { Log } from '#simulator/log.ts';
import { advanceRecords } from './books/advance-records.ts';
import { cardFaults } from './books/card-faults.ts';
import { cardStore } from './books/card-store.ts';
import { eventStore } from './books/event-store.ts';
import { cardControlRoutes } from './control/card-control-routes.ts';
import type { Trouble } from './control/card-trouble.ts';
import { startClockwork } from './delivery/clockwork.ts';
import { postman } from './delivery/deliver-events.ts';
import { settleNamed } from './desk/settle.ts';
import { keepEndpoints } from './operations/keep-endpoints.ts';
import { cardPageRoutes } from './pages/card-page-routes.ts';
import type { CardSecrets, CardTools, Clock } from './ports.ts';
import { cardRandom } from './secrets.ts';
import { openApi } from './wire/api.ts';

export type Cards = {
  // The API of the processor, on a door of its own: its clients know no path prefix.
  readonly api: FastifyInstance;
  pages(app: FastifyInstance): Promise<void>;
  control(app: FastifyInstance): Promise<void>;
  // Moves the clocks of payments and sessions, and does what falls due by it.
  advance(ids: readonly string[], milliseconds: number): Promise<number>;
  trouble(trouble: Trouble): Promise<void>;
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
  const store = cardStore(pool);
  const tools: CardTools = { store, clock, random: cardRandom, secrets, pagesUrl };
  const events = eventStore(pool);
  const faults = cardFaults(pool);
  await keepEndpoints(tools, parts.webhookUrls);
  const office = { tools, events, keysAtWork: new Set<string>() };
  const api = await openApi({ office, faults, log });
  const post = postman(events, secrets.webhookSecret, clock, log);
  const clockwork = startClockwork(tools, events, post, log);
  return {
    api,
    pages: (app) => cardPageRoutes(app, tools),
    control: (app) => cardControlRoutes(app, tools),
    advance: async (ids, milliseconds) => {
      const moved = await advanceRecords(pool, ids, milliseconds);
      await settleNamed(tools, ids);
      return moved;
    },
    trouble: ({ operation, kind, times = 1, milliseconds, status }) =>
      faults.queue(operation, { kind, milliseconds, status }, times),
    stop: () => clockwork.stop(),
  };
};
