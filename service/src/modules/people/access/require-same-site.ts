import { failures } from '@florin/contract';
import type { FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';

type SiteRequest = Pick<FastifyRequest, 'method' | 'headers' | 'protocol' | 'host'>;

/**
 * A request that changes something comes from a page of ours (PEOPLE-3): its origin is ours, and it has a
 * header that no form sends and no other site may send.
 */
export const requireSameSite = (request: SiteRequest, publicUrl: string | null): void => {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return;
  requireOwnPage(request, publicUrl);
  if (headers['florin-dashboard'] !== '1') throw new Failure(failures.crossSite);
};

/** A form of a page of ours, which changes nothing. */
export const requireOwnPage = (request: SiteRequest, publicUrl: string | null): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const isSameSite = site === undefined || site === 'same-origin';
  if (origin !== ownOrigin(request, publicUrl) || !isSameSite)
    throw new Failure(failures.crossSite);
};

/** As configured; else as the browser addresses us, for a developer who takes another local name. */
const ownOrigin = (
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  publicUrl: string | null,
): string => (publicUrl ? new URL(publicUrl).origin : `${protocol}://${host}`);
