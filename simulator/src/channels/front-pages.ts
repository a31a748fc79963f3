import formbody from '@fastify/formbody';
import { Ajv, type AnySchema } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import Fastify from 'fastify';
import type { OpenBank } from '#simulator/bank/open-banks.ts';
import { customerRoutes } from '#simulator/bank/pages/customer-routes.ts';
import { styles } from '#simulator/bank/pages/styles.ts';
import type { Cards } from '#simulator/cards/open-cards.ts';
import { type ControlParts, controlRoutes } from '#simulator/channels/control-routes.ts';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/database.ts';
import type { TransferHub } from '#simulator/transfers/open-transfer-hub.ts';
import { type BankProfile, banks } from '../bank/banks.ts';
import { magicLogins } from '../bank/magic-logins.ts';
import { html } from '../bank/pages/html.ts';

type FrontParts = {
  readonly profiles: readonly BankProfile[];
  readonly openBank: OpenBank;
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
  app.setValidatorCompiler(compileAtFirstCall);
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
    await parts.control.database.row('select 1');
    return { healthy: true };
  });
  customerRoutes(app, parts.profiles, parts.openBank, parts.autoCustomer);
  await app.register(parts.cards.pages, { prefix: '/cards' });
  await app.register(parts.hub.routes, { prefix: '/transfers' });
  await app.register((scope) => controlRoutes(scope, parts.control, parts.cards, parts.hub), {
    prefix: '/control',
  });
  await app.ready();
  return app;
};

const ajv = addFormats.default(
  new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true }),
);

/** All schemas take a tenth of a second, at each start; most starts use few of them. */
const compileAtFirstCall: FastifySchemaCompiler<AnySchema> = ({ schema }) => {
  const check: ReturnType<FastifySchemaCompiler<AnySchema>> = (value: unknown) => {
    const validate = ajv.compile(schema);
    const isValid = validate(value) === true;
    check.errors = (validate.errors ?? null) as typeof check.errors;
    return isValid;
  };
  return check;
};

// No form-action: browsers apply it to the redirects after a form too, and ours lead to the client.
export const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

const welcomePage = (): string =>
  html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Simulated banks</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/simulator.css">
  </head>
  <body>
    <header>
      <p class="simulation"><strong>Simulation.</strong> None of this is a bank.</p>
      <div class="masthead"><span class="bank-name">Simulated banks</span></div>
    </header>
    <main class="card wide">
      <h1>Ten banks that do not exist</h1>
      <p>They speak the UK Open Banking standard over real HTTP, for the Florin sandbox.</p>
      <dl class="facts">
        ${banks.map(
          (bank) => html`<div><dt>${bank.name} <code>${bank.id}</code></dt>
            <dd>${bank.kind}, up to £${(bank.limitPence / 100n).toLocaleString('en-GB')}</dd></div>`,
        )}
      </dl>
      <h2>Usernames and what they do</h2>
      <dl class="magic">
        ${magicLogins.map(
          (entry) => html`<div><dt><code>${entry.name}</code></dt><dd>${entry.does}</dd></div>`,
        )}
      </dl>
    </main>
    <footer class="foot">Any other username behaves like the first one.</footer>
  </body>
</html>`.html;
