import type { Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';

/** Of one call to a bank or a processor. */
export type Timeouts = {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
  readonly totalMs: number;
};

/** Room for every answer of a bank or a processor, and far below what could hurt the process. */
export const answerBytesMax = 4_194_304;

/** Connections that are kept, bounded in time, bytes and number. */
export const openAgent = (
  timeouts: Timeouts,
  tls: object = {},
  connected: (host: string, socket: Socket) => void = () => undefined,
): Agent => {
  const connect = buildConnector({ ...tls, timeout: timeouts.connectMs });
  return new Agent({
    connect: (options, callback) =>
      connect(options, (...outcome) => {
        const [, socket] = outcome;
        if (socket) connected(options.hostname, socket);
        callback(...outcome);
      }),
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    // Shorter than the other side's own: a connection that dies under a POST leaves it unknown.
    keepAliveTimeout: 4_000,
    connections: 64,
    pipelining: 1,
    maxResponseSize: answerBytesMax,
  });
};
