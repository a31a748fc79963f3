import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createPlainServer, type IncomingMessage, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../service/src/platform/clock.ts';
import {
  issueAuthority,
  issueServerCertificate,
} from '../../../simulator/src/trust/issued-certificate.ts';

const lookEveryMs = 500;

/**
 * A proxy with TLS before several APIs, as an operator has one: it looks at /health/ready, sends nothing to
 * one that is not ready after one failed look, and tries another one where no connection was made.
 */
export const openBalancer = async (ports: readonly number[]) => {
  const ready = new Set<number>();
  let turn = 0;
  const look = (port: number): Promise<void> =>
    new Promise((resolve) => {
      const asked = request(
        { port, path: '/health/ready', agent: false, timeout: 2_000 },
        (reply) => {
          if (reply.statusCode === 200) ready.add(port);
          else ready.delete(port);
          reply.resume().on('end', resolve);
        },
      );
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => {
        ready.delete(port);
        resolve();
      });
      asked.end();
    });
  const pass = async (call: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of call) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const candidates = [...ready];
    const send = (tries: number): void => {
      turn += 1;
      const port = candidates[turn % candidates.length];
      const { method, url: path, headers } = call;
      const sent = request({ port, method, path, headers, agent: false }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
        answer.pipe(reply);
        answer.on('error', () => reply.destroy());
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && tries > 0) send(tries - 1);
        else if (reply.headersSent) reply.destroy();
        else reply.writeHead(502).end(String(error.code));
      });
      sent.end(body);
    };
    send(candidates.length - 1);
  };
  const nowMs = systemClock.now().getTime();
  const authority = await issueAuthority('Florin tests', nowMs);
  const own = await issueServerCertificate(authority, ['127.0.0.1'], nowMs);
  const servers = [
    createTlsServer({ key: own.keyPem, cert: own.certificatePem }, pass),
    createPlainServer(pass),
  ];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const [tlsPort, plainPort] = servers.map((server) => (server.address() as AddressInfo).port);
  let looking = true;
  const looks = (async () => {
    while (looking) {
      await Promise.all(ports.map(look));
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  })();
  return {
    url: `https://127.0.0.1:${tlsPort}`,
    /** For callers on this machine that know no certificate. */
    plainUrl: `http://127.0.0.1:${plainPort}`,
    authority: authority.certificatePem,
    ready: () => ready.size,
    close: async () => {
      looking = false;
      await looks;
      for (const server of servers) server.close();
    },
  };
};
