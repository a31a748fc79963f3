import { Readable } from 'node:stream';
import { failures, limits } from '@florin/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { type Exported, exported, exportRows } from './export-rows.ts';
import { readFormat, readPeriod } from './read-period.ts';
import { writeExport } from './write-export.ts';

type Authenticate = (authorization: string | undefined) => Promise<Caller>;

const paths = {
  payouts: '/api/payouts/export',
  'payout-matches': '/api/payouts/matches/export',
  payments: '/api/payments/export',
} as const satisfies Record<Exported, string>;
const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** Streams that no operation of the contract describes, as those of events (PAYOUT-6). */
export const exportRoutes = (
  app: FastifyInstance,
  authenticate: Authenticate,
  tools: Uses<'database' | 'log'>,
): void => {
  const open = new Map<string, number>();
  for (const what of exported)
    app.get(paths[what], { exposeHeadRoute: false }, async (request, reply) => {
      const { tenant } = await authenticate(request.headers.authorization);
      const query = request.query as Readonly<Record<string, unknown>>;
      const [period, format] = [readPeriod(query), readFormat(query.format)];
      const count = open.get(tenant.merchantId) ?? 0;
      if (count >= limits.exportsPerMerchant)
        throw new Failure(failures.rateLimited, { retryAfterSeconds: 10 });
      open.set(tenant.merchantId, count + 1);
      const pieces = writeExport(exportRows(tools, tenant, what, period), format);
      const stream = Readable.from(pieces, { objectMode: false });
      stream.once('close', () => {
        const left = (open.get(tenant.merchantId) ?? 1) - 1;
        if (left > 0) open.set(tenant.merchantId, left);
        else open.delete(tenant.merchantId);
      });
      stream.once('error', ({ message }) => tools.log.warn({ error: message }, 'an export ended'));
      const name = `${what}-${period.fromDate}-${period.toDate}.${format}`;
      return reply
        .type(types[format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'no-store')
        .send(stream);
    });
};
