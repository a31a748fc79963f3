import type { FastifyInstance } from 'fastify';
import type { Log } from '#simulator/log.ts';
import type { Connection } from '#simulator/store/database.ts';
import type { Faults } from '#simulator/store/faults.ts';
import type { Clock } from '#simulator/system-clock.ts';
import { cardControlRoutes } from './card-control-routes.ts';
import { cardStore } from './card-store.ts';
import { eventStore } from './event-store.ts';
import { cardRandom } from './open-card-secrets.ts';
import { registerEndpoints } from './operations/endpoints.ts';
import { cardPageRoutes } from './pages/card-page-routes.ts';
import type { CardSecrets, CardTools } from './ports.ts';
import { startScheduler } from './start-scheduler.ts';
import { applyDueChangesOf } from './transaction/commit-changes.ts';
import { openApi } from './wire/api.ts';

type Parts = {
  readonly database: Connection;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: CardSecrets;
  readonly frontUrl: string;
  readonly webhookUrls: readonly string[];
};

export type Cards = Awaited<ReturnType<typeof openCards>>;

export const openCards = async (parts: Parts) => {
  const { database, faults, clock, log, secrets } = parts;
  const pagesUrl = `${parts.frontUrl}/cards`;
  let wake = (): void => undefined;
  const store = cardStore(database, () => wake());
  const tools: CardTools = { store, clock, random: cardRandom, secrets, pagesUrl };
  const events = eventStore(database);
  await registerEndpoints(tools, parts.webhookUrls);
  const context = { tools, events, keysInUse: new Set<string>() };
  const api = await openApi({ context, faults, log });
  const scheduler = startScheduler(tools, events, log);
  wake = scheduler.wake;
  return {
    // The API of the processor has its own server: its clients use no path prefix.
    api,
    pages: (app: FastifyInstance) => cardPageRoutes(app, tools),
    control: (app: FastifyInstance) => cardControlRoutes(app, tools),
    // Moves the clocks of payments and sessions, and applies what becomes due.
    advance: async (ids: readonly string[], milliseconds: number): Promise<number> => {
      const moved = await store.advance(ids, milliseconds);
      await applyDueChangesOf(tools, ids);
      return moved;
    },
    stop: () => scheduler.stop(),
  };
};
