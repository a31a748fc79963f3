import { failures, getPaymentDetails, type Operation } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setBounded } from '#kernel/set-bounded.ts';
import { findOpenId, openWebOrigins, type PublicIdKind } from '#modules/merchants/index.ts';
import { loadPayment } from '#modules/payments/index.ts';
import type { LoggedCaller, NoteCaller } from '#platform/http/log-requests.ts';
import type { Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

const preflightSeconds = 600;
const methods = 'GET, POST, OPTIONS';

type Named = { readonly id: string; readonly kind: PublicIdKind };

type Granted = {
  readonly isGranted: boolean;
  /** Whose payment it is that the page may not read. */
  readonly of?: LoggedCaller | undefined;
};

/**
 * Lets pages of other origins call these operations (ACCESS-4): a preflight, which names no
 * payment, is granted to any origin that an active secret lists, and so is a reply that names none;
 * every other reply only to origins of the payment's own merchant. No other operation answers other
 * origins.
 */
export const allowOrigins = (
  app: FastifyInstance,
  tools: Uses<'database' | 'clock' | 'log'>,
  routes: readonly Route[],
  noteCaller: NoteCaller = () => undefined,
): void => {
  const origins = openWebOrigins(tools);
  const open = routes.filter(({ operation }) => operation.access === 'open');
  const byPath = new Map(open.map(({ operation }) => [operation.path, operation]));
  const warn = warnOfOrigins(tools);

  const grant = async (request: FastifyRequest, origin: string): Promise<Granted> => {
    for (const { id, kind } of namedIn(request)) {
      const found = await findOpenId(tools, id, kind);
      if (!found) continue;
      if (await origins.isListedBy(found.tenant, origin)) return { isGranted: true };
      const payment = await loadPayment(tools.database, found.tenant, found.targetId);
      return { isGranted: false, of: payment ?? undefined };
    }
    return { isGranted: await origins.isListed(origin) };
  };

  const isGranted = async (
    request: FastifyRequest,
    origin: string,
    operation: Operation,
  ): Promise<boolean> => {
    // It changes nothing and, let through, names the payment whose merchant has to list the origin.
    if (request.method === 'OPTIONS' && operation.id === getPaymentDetails.id) return true;
    const { isGranted, of } = await grant(request, origin);
    if (isGranted) return true;
    if (of) noteCaller(request, of, operation, 'ORIGIN_NOT_LISTED');
    warn(origin, operation, of);
    return false;
  };

  const mayRead = async (
    request: FastifyRequest,
    { origin, operation }: { readonly origin: string; readonly operation: Operation },
    status: number,
  ) => {
    try {
      return await isGranted(request, origin, operation);
    } catch {
      // Without a database there is nothing to read but that there is none.
      return status === failures.unavailable.status;
    }
  };

  // Every reply passes here, also when the body could not be read.
  app.addHook('onSend', async (request, reply) => {
    const { origin } = request.headers;
    const operation = byPath.get(request.routeOptions.url ?? '');
    if (!operation) return;
    reply.header('vary', 'origin');
    if (origin === undefined) return;
    if (!(await mayRead(request, { origin, operation }, reply.statusCode))) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-credentials', 'true')
      .header('access-control-expose-headers', 'x-request-id, retry-after');
  });

  for (const path of byPath.keys())
    app.options(path, async (_, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', 'content-type, authorization')
        .header('access-control-max-age', preflightSeconds)
        .send(),
    );
};

const warnedEveryMs = 60_000;
const warnedMax = 1_000;
const originLength = 200;

/** The page itself only says that it cannot connect: once a minute a line says why (ACCESS-4). */
const warnOfOrigins = ({ clock, log }: Uses<'clock' | 'log'>) => {
  const warned = new Map<string, number>();
  return (origin: string, { id: operation }: Operation, of: LoggedCaller | undefined): void => {
    if (origin.length > originLength || !URL.canParse(origin)) return;
    const key = `${origin} ${of?.secretId}`;
    const nowMs = clock.now().getTime();
    if (nowMs < (warned.get(key) ?? 0) + warnedEveryMs) return;
    setBounded(warned, key, nowMs, warnedMax);
    log.warn(
      { origin, operation, secretId: of?.secretId ?? null, ...of?.tenant },
      'a page of an origin that no access secret lists was refused: add it to the web origins of the secret',
    );
  };
};

/** The ids by which a request may name a payment, the likeliest kind first. */
const namedIn = (request: FastifyRequest): readonly Named[] => {
  if (request.method === 'OPTIONS') return [];
  const params = Object.values((request.params ?? {}) as Record<string, string>);
  const body = (request.body ?? {}) as {
    data?: unknown;
    paymentRequestSource?: { paymentRequestId?: unknown };
  };
  const ids = [...params, body.data, body.paymentRequestSource?.paymentRequestId];
  return ids
    .filter((id) => typeof id === 'string')
    .flatMap((id) => [
      { id: id.toLowerCase(), kind: 'PAYMENT_REQUEST' as const },
      { id, kind: 'ATTEMPT' as const },
    ]);
};
