import { limits } from '@florin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Tenant } from '#kernel/environment.ts';
import type { Clock } from '#platform/clock.ts';
import type { StreamSlots } from '#platform/http/rate/stream-slots.ts';
import type { Uses } from '#platform/tools.ts';
import { pageIdOf } from '../input/fields.ts';
import { findPaymentOfPage, localeOf, type PageTools } from './payment-page.ts';
import { sendNotice } from './send-page.ts';
import { readVersions } from './store.ts';

const lookEveryMs = 700;

type Watcher = {
  readonly tenant: Tenant;
  /** Null: nothing is seen of it here any more. */
  readonly send: (version: string | null) => void;
};

/**
 * Tells open pages that their payment changed. One look for all pages of this process, and none while
 * no page is open.
 */
export const watchPayments = (tools: Uses<'database' | 'log'> & { readonly clock: Clock }) => {
  const watchers = new Map<string, Set<Watcher>>();
  let isLooking = false;

  const sendChanges = async (): Promise<void> => {
    const ids = [...watchers.keys()];
    const rows = await readVersions(tools.database, ids);
    const versions = new Map(rows.map((row) => [row.payment_request_id, row.version]));
    for (const id of ids)
      for (const { send } of watchers.get(id) ?? []) send(versions.get(id) ?? null);
  };

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (watchers.size > 0) {
      await sendChanges().catch((error: Error) =>
        tools.log.warn({ error: error.message }, 'open pages get no changes for a moment'),
      );
      await tools.clock.sleep(lookEveryMs);
    }
    isLooking = false;
  };

  return (tenant: Tenant, paymentRequestId: string, send: Watcher['send']) => {
    const watcher = { tenant, send };
    const known = watchers.get(paymentRequestId) ?? new Set<Watcher>();
    watchers.set(paymentRequestId, known.add(watcher));
    void look();
    return (): void => {
      known.delete(watcher);
      if (known.size === 0) watchers.delete(paymentRequestId);
    };
  };
};

export type WatchPayments = ReturnType<typeof watchPayments>;

const heartbeatMs = 15_000;
const comeAgainMs = 5_000;

/** Tells an open page when its payment changed, and nothing else about it. */
export const streamChanges = async (
  tools: PageTools & { readonly watchPayments: WatchPayments; readonly streamSlots: StreamSlots },
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
): Promise<FastifyReply> => {
  const id = pageIdOf(request.query);
  const found = id && (await findPaymentOfPage(tools, id));
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
    // Its merchant is paused in a move, or has gone: the browser comes again, and is led there in the end.
    if (version === null) return void raw.end(`retry: ${comeAgainMs}\n\n`);
    shown = version;
    write(`id: ${version}\nevent: state\ndata: ${JSON.stringify({ version })}\n\n`);
  });
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs);
  raw.on('error', () => undefined);
  const end = () => raw.end();
  closing.addEventListener('abort', end);
  // A browser that left during the look-up sends no second close.
  if (!raw.closed) await new Promise((resolve) => raw.once('close', resolve));
  closing.removeEventListener('abort', end);
  clearInterval(heartbeat);
  stop();
  release();
  return reply;
};
