import { randomBytes } from 'node:crypto';
import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { prefersHtml } from '#platform/http/accepted.ts';
import type { Log } from '#platform/log.ts';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';
import { secureHtml } from '../docs/page-shell.ts';
import { drawHome, drawRecent, homeScript } from './draw-home.ts';
import { isLocalVisit } from './is-local-visit.ts';
import { type CaughtMails, type Recent, readRecent } from './read-recent.ts';

export type HomeOptions = {
  readonly publicUrl: string;
  readonly isReady: () => Promise<boolean>;
  /** The demo merchant's sandbox secret; null: there is none. Left out: no home, the map alone. */
  readonly demoSecret?: (() => string | null) | undefined;
  /** Mails to people that nothing sends. */
  readonly caughtMails: CaughtMails;
  readonly log: Pick<Log, 'warn'>;
};

const map = {
  name: 'Florin',
  documentation: '/docs',
  reference: '/docs/reference',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  health: '/health',
} as const;

/** `/`: the front page of the all-in-one start for browsers, a small map for programs (OPERATE-9). */
export const homeRoutes = (app: FastifyInstance, options: HomeOptions): void => {
  const formToken = randomBytes(32).toString('hex');
  const { demoSecret } = options;
  app.get('/', async (request, reply) => {
    reply.header('vary', 'accept');
    if (!demoSecret || !prefersHtml(request)) return map;
    const secret = demoSecret();
    const local =
      secret && isLocal(request, options)
        ? { secret, formToken, recent: await recentOrNothing(app, secret, options) }
        : null;
    const isReady = await options.isReady();
    const html = drawHome({ isReady, publicUrl: options.publicUrl, local });
    return sendPage(reply, html, `'self' ${new URL(options.publicUrl).origin}`);
  });
  if (!demoSecret) return;
  app.get('/home/home.js', (_, reply) =>
    reply.header('content-type', 'text/javascript; charset=utf-8').send(homeScript),
  );
  app.get('/home/recent', async (request, reply) => {
    const secret = localSecret(request, options);
    return sendPage(reply, drawRecent(await readRecent(app, secret, options.caughtMails)));
  });
  app.post('/home/demo-payment', async (request, reply) => {
    const secret = localSecret(request, options);
    requireOwnForm(request, formToken);
    return reply.redirect(await createDemoPayment(app, secret), 303);
  });
};

/** Other visitors do not learn that there is something here. */
const localSecret = (request: FastifyRequest, options: HomeOptions): string => {
  const secret = options.demoSecret?.();
  if (!secret || !isLocal(request, options)) throw new Failure(failures.notFound);
  return secret;
};

const isLocal = (
  { headers, socket, server }: FastifyRequest,
  { publicUrl }: HomeOptions,
): boolean => {
  const [first] = server.addresses();
  const listeningAddress = typeof first === 'object' ? first.address : undefined;
  const { remoteAddress } = socket;
  return isLocalVisit({ headers, remoteAddress, listeningAddress, publicUrl });
};

/** No page of another origin can read the token, and a browser says where a form comes from. */
const requireOwnForm = ({ headers, body }: FastifyRequest, token: string): void => {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin';
  const sent = (body as { readonly token?: unknown } | null | undefined)?.token;
  if (!isOwn || typeof sent !== 'string' || !equalsSecretly(sent, token))
    throw new Failure(failures.badRequest, { message: 'Open the front page and try again.' });
};

const createDemoPayment = async (app: FastifyInstance, secret: string): Promise<string> => {
  const created = await app.inject({
    method: 'POST',
    url: '/api/payments/process-payment',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      customerId: 'demo-customer',
      orderId: `demo-${randomBytes(3).toString('hex')}`,
      amount: 12.5,
      expiresIn: 15 * 60 * 1000,
    },
  });
  if (created.statusCode !== 200) throw new Failure(failures.unavailable);
  return String(created.json().paymentUrl);
};

/** The page is there to say that something is down: it does not fail with it. */
const recentOrNothing = (
  app: FastifyInstance,
  secret: string,
  { log, caughtMails }: HomeOptions,
): Promise<Recent> =>
  readRecent(app, secret, caughtMails).catch((error: Error) => {
    log.warn({ error: error.message }, 'home cannot show what is recent');
    return { payments: [], endpoints: [], mails: [] };
  });

const sendPage = (reply: FastifyReply, html: string, formAction?: string): FastifyReply =>
  secureHtml(reply, formAction).send(html);
