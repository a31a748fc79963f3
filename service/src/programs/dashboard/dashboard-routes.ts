import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { failures } from '@florin/contract';
import type { Bundle, BundleFile } from '@florin/dashboard/bundle.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Visitor } from '#modules/people/index.ts';
import { encodingFor } from '#platform/http/compress-text.ts';
import { sendTagged } from '#platform/http/entity-tag.ts';
import type { Log } from '#platform/log.ts';

export type DashboardOptions = {
  /** Built or read at the first call, or before. */
  readonly openBundle: () => Promise<Bundle>;
  /** By the cookies of a browser: whether somebody is signed in there, or was. */
  readonly visitor: (cookies: string | undefined) => Promise<Visitor>;
  /** Where codes to scan are drawn: it may be another host than that of the dashboard. */
  readonly publicUrl: string;
  readonly log: Pick<Log, 'error'>;
};

/** `/dashboard` and the pages below it, which the browser draws, with their code (DASHBOARD-1). */
export const dashboardRoutes = (app: FastifyInstance, options: DashboardOptions): void => {
  const page = async (reply: FastifyReply, draw: (bundle: Bundle) => string) => {
    const building = sleep(patienceMs, 'BUILDING' as const, { ref: false });
    const bundle = await Promise.race([openBundle(options), building]);
    const send = (at: FastifyReply, html: string, nonce: string | null = null) =>
      sendPage(at, html, dashboardSecurity(nonce, new URL(options.publicUrl).origin));
    if (bundle === 'BUILDING') return send(reply.code(503), beingBuilt);
    if (!bundle) return send(reply.code(503), notBuilt);
    const nonce = randomBytes(nonceBytes).toString('base64');
    return send(reply, draw(bundle).replaceAll(bundle.nonceMark, nonce), nonce);
  };
  const application = async (request: FastifyRequest, reply: FastifyReply) => {
    const signIn = await signInFirst(request, options);
    return signIn === null ? page(reply, (bundle) => bundle.page) : reply.redirect(signIn, 302);
  };
  app.get('/dashboard', application);
  app.get('/dashboard/sign-in', (request, reply) =>
    page(reply, ({ signInPage }) => signInPage.replace('%why%', whySignIn(request))),
  );
  app.get('/dashboard/*', async (request, reply) => {
    const { '*': path } = request.params as { readonly '*': string };
    // Addresses of programs: a page in place of an answer would hide that there is none.
    if (/^(api|auth)(\/|$)/.test(path)) throw new Failure(failures.notFound);
    return application(request, reply);
  });
  app.get('/dashboard/assets/:name', async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const file = (await openBundle(options))?.assets.get(name);
    if (!file) throw new Failure(failures.notFound);
    return sendAsset(reply, name, file, request.headers['accept-encoding']);
  });
};

/** Of who has no session, and of links that are mailed to people. */
const openToAll =
  /^\/dashboard\/(?:sign-up|forgotten-password|invites|new-password|verify-email)(?:\/|$)/;

/** Where a browser goes first that would only be told to sign in; null: it may see the page. */
const signInFirst = async (
  { url, headers }: FastifyRequest,
  { visitor, log }: DashboardOptions,
): Promise<string | null> => {
  const [path = ''] = url.split('?');
  if (openToAll.test(path)) return null;
  const found = await visitor(headers.cookie).catch((error: Error) => {
    log.error({ error: error.message }, 'the dashboard cannot read who is signed in');
    return 'SIGNED_IN' as const;
  });
  if (found === 'SIGNED_IN') return null;
  const query = new URLSearchParams({
    ...(found === 'ENDED' && { ended: '1' }),
    next: url.slice('/dashboard'.length) || '/',
  });
  return `/dashboard/sign-in?${query}`;
};

const whySignIn = ({ query }: FastifyRequest): string => {
  const { ended, next } = query as Readonly<Record<string, unknown>>;
  if (ended) return 'Your session has ended. Sign in, and you come back to where you were.';
  const isSent = typeof next === 'string' && next.length > 1;
  return isSent ? 'Sign in, and you come to the page that you opened.' : '';
};

const nonceBytes = 16;
const patienceMs = 2_000;

/** Null when it cannot be built: the rest of the product is there all the same. */
const openBundle = async ({ openBundle: open, log }: DashboardOptions): Promise<Bundle | null> => {
  try {
    return await open();
  } catch (error) {
    log.error({ error: (error as Error).message }, 'the dashboard cannot be built');
    return null;
  }
};

const plainPage = (title: string, text: string, head = ''): string => `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Florin</title>
<h1>${title}</h1>
<p>${text}</p>
</html>
`;

const notBuilt = plainPage(
  'The dashboard is not there',
  'It could not be built; the log says why. Payments, the API and webhooks work.</p>' +
    '<p><a href="">Try again</a>',
);

/** After a first start it takes some seconds. */
const beingBuilt = plainPage(
  'The dashboard is being built',
  'This page opens it when it is ready. Payments, the API and webhooks work already.',
  '<meta http-equiv="refresh" content="1">',
);

const sendPage = (reply: FastifyReply, html: string, policy: string): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy)
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()')
    .send(html);

/** Our own files only, styles of our own reply only, and no frame around it. */
const dashboardSecurity = (nonce: string | null, payersOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    nonce === null ? "style-src 'none'" : `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    `img-src 'self' data: ${payersOrigin}`,
    "font-src 'self'",
    // The preview of the checkout.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  woff2: 'font/woff2',
};

const yearSeconds = 365 * 24 * 60 * 60;

/** A name holds the hash of its content, so a browser never has to look for another one. */
const sendAsset = (
  reply: FastifyReply,
  name: string,
  file: BundleFile,
  accepted: string | undefined,
): FastifyReply => {
  const encoding = encodingFor(accepted);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  reply
    .header('content-type', types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
    .header('vary', 'accept-encoding');
  const body = encoding === 'identity' ? file.plain : file[encoding];
  return sendTagged(reply, body, `"${name} ${encoding}"`);
};
