import { connect, type Socket } from 'node:net';

type LoadOrder = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Ends before, when so many were sent. */
  readonly requests?: number;
  /** One whole HTTP/1.1 request. */
  readonly request: (count: number) => string;
};

type LoadResult = {
  readonly requests: number;
  readonly failures: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** A closed loop over plain sockets: it costs so little itself that the server gets the two cores. */
export const load = async (order: LoadOrder): Promise<LoadResult> => {
  const latenciesMs: number[] = [];
  let failures = 0;
  let count = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + order.seconds * 1_000;
  const drive = async (): Promise<void> => {
    const socket = await open(order.port);
    while (performance.now() < endsAt && count < (order.requests ?? Number.POSITIVE_INFINITY)) {
      const sentAt = performance.now();
      count += 1;
      const status = await exchange(socket, order.request(count));
      latenciesMs.push(performance.now() - sentAt);
      if (status !== 200) failures += 1;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: order.connections }, drive));
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return {
    requests: latenciesMs.length,
    failures,
    perSecond: latenciesMs.length / elapsedSeconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  };
};

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });

const headEnd = '\r\n\r\n';

const exchange = (socket: Socket, request: string): Promise<number> =>
  new Promise((resolve) => {
    let answer = '';
    const read = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const end = answer.indexOf(headEnd);
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (answer.length < end + headEnd.length + length) return;
      socket.off('data', read);
      resolve(Number(answer.slice(9, 12)));
    };
    socket.on('data', read);
    socket.write(request);
  });

/** One whole HTTP/1.1 request, for `load`. */
export const postText = (
  port: number,
  path: string,
  secret: string,
  body: object,
  idempotencyKey?: string,
): string => {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${secret}\r\n` +
    `content-type: application/json\r\n` +
    (idempotencyKey ? `idempotency-key: ${idempotencyKey}\r\n` : '') +
    `content-length: ${text.length}\r\n\r\n${text}`
  );
};
