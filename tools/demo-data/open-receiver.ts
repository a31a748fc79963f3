import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The shop's own receiver of webhooks, which can be out of order for a while. */
export type Receiver = {
  readonly url: string;
  readonly setDown: (isDown: boolean) => void;
  readonly close: () => Promise<void>;
};

/** On the port of an earlier run, so that its endpoint goes on; 0 is any. */
export const openReceiver = async (port: number): Promise<Receiver> => {
  let isDown = false;
  const server = createServer((request, reply) => {
    request.resume();
    reply.statusCode = isDown ? 503 : 200;
    reply.end(isDown ? 'The shop is being updated.' : 'ok');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: open } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${open}/florin`,
    setDown: (value) => {
      isDown = value;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
