import { randomBytes } from 'node:crypto';
import { failures } from '@florin/contract';
import type { Bundle, BundleFile } from '@florin/dashboard/bundle.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { encodingFor } from '#platform/http/compress-text.ts';
import type { Log } from '#platform/log.ts';
import { dashboardSecurity } from './dashboard-security.ts';

export type DashboardOptions = {
  /** Built or read at the first call, or before. */
  readonly openBundle: () => Promise<Bundle>;
  readonly log: Pick<Log, 'error'>;
};

/** `/dashboard` and the pages below it, which the browser draws, with their code (DASHBOARD-1). */
export const dashboardRoutes = (app: FastifyInstance, options: DashboardOptions): void => {
  const page = async (reply: FastifyReply) => {
    const bundle = await openBundle(options);
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

/** Null when it cannot be built: the rest of the product is there all the same. */
const openBundle = async ({ openBundle: open, log }: DashboardOptions): Promise<Bundle | null> => {
  try {
    return await open();
  } catch (error) {
    log.error({ error: (error as Error).message }, 'the dashboard cannot be built');
    return null;
  }
};

const notBuilt = `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The dashboard is not there · Florin</title>
<h1>The dashboard is not there</h1>
<p>It could not be built; the log says why. Payments, the API and webhooks work.</p>
</html>
`;

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
