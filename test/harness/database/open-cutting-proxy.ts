import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type CuttingProxy = Awaited<ReturnType<typeof openCuttingProxy>>;

/**
 * Stands before PostgreSQL. While armed it passes a statement on, and cuts the connection when the answer
 * arrives: the server has committed, and the program does not learn it.
 */
export const openCuttingProxy = async () => {
  const state = { target: new URL('postgres://localhost'), text: '', staysDown: false };
  const changes = { fromProgram: asItIs, fromServer: asItIs };
  let isDown = false;
  let isFrozen = false;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const held = { until: Promise.resolve(), release: (): void => undefined };
  const server = createServer(async (client) => {
    await held.until;
    if (isDown) {
      client.destroy();
      return;
    }
    const upstream = connectTo(state.target);
    let isCut = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
      sockets.delete(client);
    };
    sockets.add(client);
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (isFrozen) return;
      if (state.text !== '' && bytes.includes(state.text)) {
        isCut = true;
        state.text = '';
        cuts += 1;
      }
      upstream.write(changes.fromProgram(bytes));
    });
    upstream.on('data', (bytes) => {
      if (isFrozen) return;
      if (isCut) {
        isDown = state.staysDown;
        if (isDown) cutAll();
        end();
      } else client.write(changes.fromServer(bytes));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** New connections wait until they are released. */
    hold: () => {
      held.until = new Promise((resolve) => {
        held.release = resolve;
      });
    },
    release: () => held.release(),
    connectThrough: async (databaseUrl: string): Promise<string> => {
      state.target = new URL(databaseUrl);
      const through = new URL(databaseUrl);
      through.hostname = '127.0.0.1';
      through.port = String(port);
      for (const name of ['host', 'port']) through.searchParams.delete(name);
      return through.toString();
    },
    /**
     * The answer to the next message with this text is lost; then, on request, all connections are.
     */
    cutAfter: (text: string, { staysDown = false } = {}) => {
      Object.assign(state, { text, staysDown });
    },
    /** From now on it passes on something else. */
    change: (more: Partial<typeof changes>) => Object.assign(changes, more),
    /** From now on every byte is lost, as by a vanished host: connections stay open and say nothing. */
    freeze: () => {
      isFrozen = true;
    },
    comeBack: () => {
      isFrozen = false;
      isDown = false;
    },
    cuts: () => cuts,
    close: () => {
      cutAll();
      server.close();
    },
  };
};

const asItIs = (bytes: Buffer): Buffer => bytes;

/** The server listens on a socket file or on a port. */
export const connectTo = (target: URL): Socket => {
  const folder = target.searchParams.get('host');
  const port = target.searchParams.get('port') ?? (target.port || '5432');
  return folder?.startsWith('/')
    ? connect(`${folder}/.s.PGSQL.${port}`)
    : connect(Number(port), folder ?? target.hostname);
};
