import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range of outgoing connections: one of those could take the port before its program
// listens, or while that program restarts.
const firstPort = 20_000;
const lastPort = 31_999;
const maxTries = 20;

export const findFreePort = async (host: string): Promise<number> => {
  for (let turn = 0; turn < maxTries; turn += 1) {
    const port = randomInt(firstPort, lastPort);
    if (await isPortFree(host, port)) return port;
  }
  return listenOnce(host, 0);
};

export const isPortFree = (host: string, port: number): Promise<boolean> =>
  listenOnce(host, port).then(
    () => true,
    () => false,
  );

/** The port that it listened on, free again. */
export const listenOnce = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
