import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { limits } from '#simulator/limits.ts';
import type { Credentials } from '#simulator/trust/credentials.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type HttpServer = ReturnType<typeof createHttp> | ReturnType<typeof createHttps>;

// A door listens before the banks behind it are open, because their addresses follow from its port.
export type Door = {
  readonly port: number;
  lead(handler: Handler): void;
  close(): Promise<void>;
};

export const openFrontDoor = (host: string, port: number): Promise<Door> =>
  openDoor((handler) => createHttp(handler), host, port);

// Where any port will do, the one of the last start is the best: its clients know it.
export const openKeptDoor = async (host: string, port: number, kept: number): Promise<Door> => {
  if (port !== 0 || kept === 0) return openFrontDoor(host, port);
  return openFrontDoor(host, kept).catch(() => openFrontDoor(host, 0));
};

export const openBackDoor = (
  credentials: Credentials,
  host: string,
  port: number,
): Promise<Door> => {
  const options: ServerOptions = {
    cert: credentials.server.certificatePem,
    key: credentials.server.keyPem,
    ca: credentials.authorityPem,
    requestCert: true,
    // A call without a certificate gets an answer that says so; discovery needs none.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  };
  return openDoor((handler) => createHttps(options, handler), host, port);
};

const openDoor = async (
  create: (handler: Handler) => HttpServer,
  host: string,
  port: number,
): Promise<Door> => {
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
    lead: (handler) => {
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
