import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { failures } from '@florin/contract';
import type { Bundle, BundleFile } from '@florin/dashboard/bundle.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { encodingFor } from '#platform/http/compress-text.ts';
import type { Log } from '#platform/log.ts';

export type DashboardOptions = {
  /** Built or read at the first call, or before. */
  readonly openBundle: () => Promise<Bundle>;
  readonly log: Pick<Log, 'error'>;
};

/** `/dashboard` and the pages below it, which the browser draws, with their code (DASHBOARD-1). */
export const dashboardRoutes = (app: FastifyInstance, options: DashboardOptions): void => {
  const page = async (reply: FastifyReply) => {
    const building = sleep(patienceMs, 'BUILDING' as const, { ref: false });
    const bundle = await Promise.race([openBundle(options), building]);
    if (bundle === 'BUILDING') return sendPage(reply.code(503), beingBuilt);
    if (!bundle) return sendPage(reply.code(503), notBuilt);
    const nonce = randomBytes(nonceBytes).toString('base64');
    return sendPage(reply, bundle.page.replaceAll(bundle.nonceMark, nonce), nonce);
  };
  app.get('/dashboard', (_, reply) => page(reply));
  app.get('/dashboard/*', async (request, reply) => {
    const { '*': path } = request.params as { readonly '*': string };
    // Addresses of programs: a page in place of an answer would hide that there is none.
    if (/^(api|auth)(\/|$)/.test(path)) throw new Failure(failures.notFound);
    return page(reply);
  });
  app.get('/dashboard/assets/:name', async (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const file = (await openBundle(options))?.assets.get(name);
    if (!file) throw new Failure(failures.notFound);
    return sendAsset(reply, name, file, request.headers['accept-encoding']);
  });
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
  'It could not be built; the log says why. Payments, the API and webhooks work.',
);

/** After a first start it takes some seconds. */
const beingBuilt = plainPage(
  'The dashboard is being built',
  'This page opens it when it is ready. Payments, the API and webhooks work already.',
  '<meta http-equiv="refresh" content="1">',
);

const sendPage = (reply: FastifyReply, html: string, nonce: string | null = null): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', dashboardSecurity(nonce))
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()')
    .send(html);

/** Our own files only, styles of our own reply only, and no frame around it. */
const dashboardSecurity = (nonce: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    nonce === null ? "style-src 'none'" : `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    // The preview of the checkout.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
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
  return reply
    .header('content-type', types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
    .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
    .header('vary', 'accept-encoding')
    .header('x-content-type-options', 'nosniff')
    .send(encoding === 'identity' ? file.plain : file[encoding]);
};
