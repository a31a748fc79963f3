import type { Socket } from 'node:net';
import { failures } from '@florin/contract';
import type { Ids } from '../ids.ts';

/**
 * Input that is not HTTP never becomes a request: it is answered by hand, in the shape of all other
 * errors.
 */
export const answerBroken =
  ({ ids }: { readonly ids: Ids }) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { name, status } = failures.badRequest;
    const message = 'This server cannot read the request as HTTP.';
    const body = JSON.stringify({ name, message, status, errors: [] });
    const head = [
      `HTTP/1.1 ${status} Bad Request`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${ids.uuid()}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  };
