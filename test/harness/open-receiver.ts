import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is the check.
  readonly json: any;
  readonly at: number;
};

export type Answer = (received: Received, reply: ServerResponse, socket: Socket) => void;

const ok: Answer = (_, reply) => {
  reply.end('ok');
};

/** A merchant's webhook receiver on loopback: lists what it received. */
export const openReceiver = async (answer: Answer = ok) => {
  const received: Received[] = [];
  let current = answer;
  const listener: RequestListener = (request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { url: path = '/', headers } = request;
      const one = { path, headers, body, json: parse(body), at: performance.now() };
      received.push(one);
      current(one, reply, request.socket);
    });
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: (next: Answer) => {
      current = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** Null when the body is not JSON. */
const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, reply) => {
    reply.writeHead(code, headers).end();
  };
