import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Bank } from '#simulator/bank/bank.ts';
import { customerRoutes } from '#simulator/bank/pages/customer-routes.ts';
import { styles } from '#simulator/bank/pages/styles.ts';
import { welcomePage } from '#simulator/bank/pages/welcome-page.ts';
import type { Cards } from '#simulator/cards/open-cards.ts';
import { type ControlParts, controlRoutes } from '#simulator/control/control-routes.ts';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/open-pool.ts';
import type { TransferHub } from '#simulator/transfers/open-transfer-hub.ts';

export type FrontParts = {
  readonly banks: ReadonlyMap<string, Bank>;
  readonly control: ControlParts;
  readonly cards: Omit<Cards, 'api' | 'stop'>;
  readonly hub: TransferHub;
  readonly log: Log;
  readonly autoCustomer: string | undefined;
};

export const frontPages = async (parts: FrontParts): Promise<FastifyInstance> => {
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    routerOptions: { maxParamLength: 200 },
  });
  await app.register(formbody);
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (isDatabaseLost(error)) {
      return reply.code(503).header('retry-after', '1').send({ message: 'The database is away.' });
    }
    const status = error.statusCode ?? 500;
    if (status >= 500) parts.log('front page failed', { stack: error.stack });
    return reply.code(status).send({ message: status >= 500 ? 'A mistake.' : error.message });
  });
  app.get('/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(welcomePage()),
  );
  app.get('/simulator.css', async (_request, reply) => reply.type('text/css').send(styles));
  app.get('/health', async () => {
    await parts.control.pool.query('select 1');
    return { healthy: true };
  });
  customerRoutes(app, parts.banks, parts.autoCustomer);
  await app.register(parts.cards.pages, { prefix: '/cards' });
  await app.register(parts.hub.routes, { prefix: '/transfers' });
  await app.register((scope) => controlRoutes(scope, parts.control, parts.cards, parts.hub), {
    prefix: '/control',
  });
  await app.ready();
  return app;
};

// No form-action: browsers apply it to the redirects after a form too, and ours lead to the client.
export const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
