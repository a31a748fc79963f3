import { limits } from '@florin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StreamSlots } from '#platform/http/rate/stream-slots.ts';
import { findLinkedPayment } from '../bank/finish-authorisation.ts';
import { pageIdOf } from '../input/fields.ts';
import type { PageTools } from './payment-page.ts';
import { localeOf } from './remember-choices.ts';
import { sendNotice } from './send-page.ts';
import type { WatchPayments } from './watch-payments.ts';

const heartbeatMs = 15_000;

/** Tells an open page when its payment changed, and nothing else about it. */
export const streamChanges = async (
  tools: PageTools & { readonly watchPayments: WatchPayments; readonly streamSlots: StreamSlots },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const id = pageIdOf(request.query);
  const found = id && (await findLinkedPayment(tools, id));
  if (!id || !found) return sendNotice(reply, 404, localeOf(request), { page: 'NOT_FOUND' });
  const release = tools.streamSlots(request.ip);
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  // A browser that does not read is not waited for: it comes back by itself.
  const write = (text: string): void => {
    raw.write(text);
    if (raw.writableLength > limits.streamWaitingBytes) raw.destroy();
  };
  let shown = '';
  const stop = tools.watchPayments(found.tenant, id, (version) => {
    if (version === shown) return;
    shown = version;
    write(`id: ${version}\nevent: state\ndata: ${JSON.stringify({ version })}\n\n`);
  });
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
  raw.on('error', () => undefined);
  // A browser that left during the look-up sends no second close.
  if (!raw.closed) await new Promise((resolve) => raw.once('close', resolve));
  clearInterval(heartbeat);
  stop();
  release();
  return reply;
};
