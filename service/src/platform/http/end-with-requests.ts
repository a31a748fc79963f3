import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const lookEveryMs = 50;
// Of connections without a request: browsers open some before they need them.
const unusedMs = 1_000;

/**
 * A server that closes answers first: it takes no more connections, closes each after its answer, and has
 * closed when every handler has ended, also that of a caller who is gone.
 */
export const endWithRequests = (app: FastifyInstance): void => {
  let answering = 0;
  let handling = 0;
  app.server.on('request', (_, response) => {
    answering += 1;
    response.once('close', () => {
      answering -= 1;
    });
  });
  const handled = (): void => {
    handling -= 1;
  };
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function counted(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (!(answer instanceof Promise)) return answer;
      handling += 1;
      answer.then(handled, handled);
      return answer;
    };
  });
  let looking: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    let busyAtMs = performance.now();
    looking = setInterval(() => {
      app.server.closeIdleConnections();
      if (answering + handling > 0) busyAtMs = performance.now();
      if (performance.now() - busyAtMs > unusedMs) app.server.closeAllConnections();
    }, lookEveryMs);
  });
  // Of a server this is the last step: it is closed by now.
  app.addHook('onClose', async () => {
    while (handling > 0) await sleep(lookEveryMs);
    clearInterval(looking);
  });
};

/** Aborted when the server begins to close: for what would not end by itself. */
export const closingSignal = (app: FastifyInstance): AbortSignal => {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  return closing.signal;
};

/**
 * Before a server closes: for so long it is leaving, answers everything, and closes each connection after
 * its answer, so that proxies go elsewhere before it takes no more.
 */
export const giveNotice = (app: FastifyInstance, forMs: number) => {
  let isLeaving = false;
  app.addHook('onRequest', (_, reply, done) => {
    if (isLeaving) reply.header('connection', 'close');
    done();
  });
  return {
    isLeaving: () => isLeaving,
    notice: async (): Promise<void> => {
      isLeaving = true;
      await sleep(forMs);
    },
  };
};
