import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findPublicId, openWebOrigins, type PublicIdKind } from '#modules/merchants/index.ts';
import type { Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

const preflightSeconds = 600;
const methods = 'GET, POST, OPTIONS';

type Named = { readonly id: string; readonly kind: PublicIdKind };

/**
 * Lets pages of other origins call these operations (ACCESS-4): a preflight, which names no
 * payment, is granted to any origin that an active secret lists, and so is a reply that names none;
 * every other reply only to origins of the payment's own merchant. No other operation answers other
 * origins.
 */
export const allowOrigins = (
  app: FastifyInstance,
  tools: Uses<'database' | 'clock'>,
  routes: readonly Route[],
): void => {
  const origins = openWebOrigins(tools);
  const open = routes.filter(({ operation }) => operation.access === 'open');
  const paths = new Set(open.map(({ operation }) => operation.path));

  const isGranted = async (request: FastifyRequest, origin: string): Promise<boolean> => {
    const named = namedIn(request);
    if (named.length === 0) return origins.isListed(origin);
    for (const { id, kind } of named) {
      const found = await findPublicId(tools, id, kind);
      if (found) return origins.isListedBy(found.tenant, origin);
    }
    return origins.isListed(origin);
  };

  const mayRead = async (request: FastifyRequest, origin: string, status: number) => {
    try {
      return await isGranted(request, origin);
    } catch {
      // Without a database there is nothing to read but that there is none.
      return status === failures.unavailable.status;
    }
  };

  // Every reply passes here, also when the body could not be read.
  app.addHook('onSend', async (request, reply) => {
    const { origin } = request.headers;
    if (!paths.has(request.routeOptions.url ?? '')) return;
    reply.header('vary', 'origin');
    if (origin === undefined || !(await mayRead(request, origin, reply.statusCode))) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-allow-credentials', 'true')
      .header('access-control-expose-headers', 'x-request-id, retry-after');
  });

  for (const path of paths)
    app.options(path, async (_, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', 'content-type, authorization')
        .header('access-control-max-age', preflightSeconds)
        .send(),
    );
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
