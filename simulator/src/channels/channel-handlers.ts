import type { FastifyInstance } from 'fastify';
import { interactionIdOf } from '#simulator/bank/wire/check-headers.ts';
import type { Handler } from './channel-server.ts';
import { securityHeaders } from './front-pages.ts';
import { type ChannelParts, serveBank } from './serve-bank.ts';

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
