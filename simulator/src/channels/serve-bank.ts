import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Bank } from '#simulator/bank/bank.ts';
import type { OpenBank } from '#simulator/bank/open-banks.ts';
import type { Addresses } from '#simulator/bank/wire/addresses.ts';
import { interactionIdOf } from '#simulator/bank/wire/check-request.ts';
import { refusalFor, serveStandard } from '#simulator/bank/wire/serve.ts';
import type { Log } from '#simulator/log.ts';
import type { Faults } from '#simulator/store/faults.ts';
import type { AnswerOnce } from './answer-once.ts';
import type { Handler } from './channel-server.ts';
import { securityHeaders } from './front-pages.ts';
import { type Exchange, injectFault, operationOf, refuse } from './inject-fault.ts';

export const frontChannelHandler =
  (channel: ChannelParts, pages: FastifyInstance): Handler =>
  (request, response) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    void serveBank(channel, 'front', request, response).then((served) => {
      if (!served) pages.routing(request, response);
    });
  };

export const backChannelHandler =
  (channel: ChannelParts, freshId: () => string): Handler =>
  (request, response) => {
    response.setHeader('x-fapi-interaction-id', interactionIdOf(request.headers, freshId));
    void serveBank(channel, 'back', request, response).then((served) => {
      if (served) return;
      request.resume();
      response.writeHead(404, { 'content-length': 0 }).end();
    });
  };

type ChannelParts = {
  readonly openBank: OpenBank;
  readonly addresses: Addresses;
  readonly faults: Faults;
  readonly log: Log;
  readonly answerOnce: AnswerOnce;
};

type Serve = (exchange: Exchange) => Promise<void>;

const openPages = /^\/(jwks|auth)$/;
const usualDiscovery = '/.well-known/openid-configuration';
const endOfVisit = /^\/auth\/[^/]+$/;
const clientEndpoints = /^\/(token|par|userinfo|register)$/;

// False when no bank serves this path on this channel.
const serveBank = async (
  parts: ChannelParts,
  channel: 'front' | 'back',
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  const [, bankId = '', path = ''] = /^\/banks\/([^/?]+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
  const bank = await parts.openBank(bankId);
  const serve = bank && serverOf(parts, channel, path, bank);
  if (!serve) return false;
  const exchange = { bank, path, request, response };
  try {
    const operation = operationOf(request.method ?? '', path);
    const fault = operation && (await parts.faults.take(bankId, operation));
    if (fault) await injectFault(fault, exchange, () => serve(exchange));
    else await serve(exchange);
  } catch (error) {
    parts.log('bank failed', { bank: bankId, reason: (error as Error).message });
    if (response.headersSent) response.destroy();
    else await refuse(exchange, refusalFor(error));
  }
  return true;
};

const serverOf = (
  parts: ChannelParts,
  channel: 'front' | 'back',
  path: string,
  { profile }: Bank,
): Serve | undefined => {
  if (path === profile.wire.discoveryPath) {
    return (exchange) => serveOidc(parts.addresses, { ...exchange, path: usualDiscovery });
  }
  if (endOfVisit.test(path)) return (exchange) => serveEndOfVisit(parts, exchange);
  if (openPages.test(path)) return (exchange) => serveOidc(parts.addresses, exchange);
  if (clientEndpoints.test(path)) {
    return channel === 'back'
      ? (exchange) => serveOidc(parts.addresses, exchange)
      : refuseWithoutMutualTls;
  }
  if (channel === 'front' || !path.startsWith('/open-banking/')) return undefined;
  return (exchange) => serveStandard(exchange, parts.addresses, parts.log);
};

const serveEndOfVisit = (parts: ChannelParts, exchange: Exchange): Promise<void> => {
  const { request, response } = exchange;
  return parts.answerOnce(request, response, () => serveOidc(parts.addresses, exchange));
};

const serveOidc = async (addresses: Addresses, exchange: Exchange): Promise<void> => {
  const { bank, path, request, response } = exchange;
  pretendFrontAddress(addresses, request);
  const query = /\?.*$/.exec(request.url ?? '')?.[0] ?? '';
  const mounted = request as IncomingMessage & { originalUrl?: string };
  // Its other addresses follow from where this path ends.
  mounted.originalUrl = `/banks/${bank.profile.id}${path}${query}`;
  request.url = `${path}${query}`;
  await bank.provider.callback()(request, response);
};

// oidc-provider builds its addresses from the request: for any channel and name, the bank has one
// public address. No session is stored: every payment needs a new login.
const pretendFrontAddress = (addresses: Addresses, request: IncomingMessage): void => {
  const front = new URL(addresses.frontUrl);
  request.headers.host = front.host;
  request.headers['x-forwarded-host'] = front.host;
  request.headers['x-forwarded-proto'] = front.protocol.slice(0, -1);
  request.headers.cookie = request.headers.cookie
    ?.split(/;\s*/)
    .filter((cookie) => !/^_session(\.|=)/.test(cookie))
    .join('; ');
};

const refuseWithoutMutualTls = async ({ request, response }: Exchange): Promise<void> => {
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' });
  const description = 'this endpoint is served with mutual TLS only; see mtls_endpoint_aliases';
  response.end(JSON.stringify({ error: 'invalid_client', error_description: description }));
};
