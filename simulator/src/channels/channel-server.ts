import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { limits } from '#simulator/limits.ts';
import type { Credentials } from '#simulator/trust/credentials.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type HttpServer = ReturnType<typeof createHttp> | ReturnType<typeof createHttps>;

export const openFrontServer = (host: string, port: number) =>
  openServer((handler) => createHttp(handler), host, port);

// Any port will do, but clients still use the one of the last start.
export const openServerAtLastPort = async (host: string, port: number, lastPort: number) => {
  if (port !== 0 || lastPort === 0) return openFrontServer(host, port);
  return openFrontServer(host, lastPort).catch(() => openFrontServer(host, 0));
};

export const openBackServer = (credentials: Credentials, host: string, port: number) => {
  const options: ServerOptions = {
    cert: credentials.server.certificatePem,
    key: credentials.server.keyPem,
    ca: credentials.authorityPem,
    requestCert: true,
    // A call without a certificate gets an explanation; discovery needs none.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  };
  return openServer((handler) => createHttps(options, handler), host, port);
};

// Listens before the banks are open, because their addresses contain its port.
const openServer = async (create: (handler: Handler) => HttpServer, host: string, port: number) => {
  let current: Handler = (request, response) => {
    request.resume();
    response.writeHead(503, { 'retry-after': '1', 'content-length': 0 }).end();
  };
  const server = create((request, response) => current(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    handle: (handler: Handler) => {
      current = handler;
    },
    close: () => closeServer(server),
  };
};

const closeServer = (server: HttpServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), limits.drainMs).unref();
  });
