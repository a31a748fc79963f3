import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';
import { connectTo } from './open-cutting-proxy.ts';

/** Speaks TLS as a PostgreSQL server does, and passes on to one that is reached in the clear. */
export const openTlsProxy = async (databaseUrl: string, options: TLSSocketOptions) => {
  const sockets = new Set<Socket>();
  let passedOn = 0;
  const server = createServer((client) => {
    sockets.add(client.on('error', () => client.destroy()));
    // The first message asks for TLS; 'S' says that it comes.
    client.once('data', () => {
      client.write('S');
      const secured = new TLSSocket(client, { ...options, isServer: true });
      secured.on('error', () => client.destroy());
      secured.once('secure', () => {
        if (!isKnown(secured, options)) {
          secured.destroy();
          return;
        }
        passedOn += 1;
        const upstream = connectTo(new URL(databaseUrl));
        sockets.add(upstream.on('error', () => secured.destroy()));
        secured.pipe(upstream).pipe(secured);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** The same database, by TLS whose certificate is checked. */
    urlFor: (host: string, authorityFile: string): string => {
      const url = new URL(databaseUrl);
      for (const name of ['host', 'port']) url.searchParams.delete(name);
      Object.assign(url, { hostname: host, port: String(port) });
      url.searchParams.set('sslmode', 'verify-full');
      url.searchParams.set('sslrootcert', authorityFile);
      return url.toString();
    },
    passedOn: () => passedOn,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

/** As `cert` of `pg_hba.conf`: a socket that belongs to no TLS server does not look itself. */
const isKnown = (secured: TLSSocket, { requestCert, ca }: TLSSocketOptions): boolean => {
  if (!requestCert) return true;
  const { raw } = secured.getPeerCertificate();
  return raw && new X509Certificate(raw).verify(new X509Certificate(String(ca)).publicKey);
};
