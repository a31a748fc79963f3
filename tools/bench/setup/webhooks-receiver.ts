import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

// Its own process: answers 200 at once, hangs under /hang, counts events by their id, and checks
// some signatures. HTTP/1.1 only as far as our client uses it, so that the two cores are left to
// the measurement: each request is read whole, head by its blank line and body by its length.
const seen = new Map<string, number>();
const firstAt = new Map<string, number>();
const keys = new Map<string, Buffer>();
const counted = { hits: 0, verified: 0, refused: 0 };
const verifiedOf = 50;

const reply = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok',
);
const refusal = Buffer.from('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n');

const headerOf = (head: string, name: string): string => {
  const start = head.indexOf(`\r\n${name}: `) + name.length + 4;
  return start < name.length + 4 ? '' : head.slice(start, head.indexOf('\r\n', start));
};

/** By the path: each endpoint has one of its own, and a key. */
const isSigned = (head: string, body: Buffer): boolean => {
  const key = keys.get(head.slice('POST '.length, head.indexOf(' HTTP/')));
  if (!key) return false;
  const signature = `v1=${createHmac('sha256', key).update(body).digest('hex')}`;
  return headerOf(head, 'x-service-signature') === signature;
};

const receive = (socket: Socket, head: string, body: Buffer): void => {
  if (head.startsWith('POST /hang')) return;
  const now = performance.timeOrigin + performance.now();
  const id = headerOf(head, 'x-service-event-id');
  counted.hits += 1;
  seen.set(id, (seen.get(id) ?? 0) + 1);
  if (!firstAt.has(id)) firstAt.set(id, now);
  if (counted.hits % verifiedOf === 1) {
    if (isSigned(head, body)) counted.verified += 1;
    else counted.refused += 1;
  }
  socket.write(reply);
};

/** Every whole request at the start of the received bytes; answers the rest. */
const readRequests = (socket: Socket, come: Buffer): Buffer => {
  for (let at = 0; ; ) {
    const end = come.indexOf('\r\n\r\n', at);
    if (end < 0) return come.subarray(at);
    // With the line break that ends the last header.
    const head = come.toString('latin1', at, end + 2);
    const bodyAt = end + 4;
    const nextAt = bodyAt + Number(headerOf(head, 'content-length') || Number.NaN);
    if (Number.isNaN(nextAt)) socket.end(refusal);
    if (!(nextAt <= come.length)) return come.subarray(at);
    receive(socket, head, come.subarray(bodyAt, nextAt));
    at = nextAt;
  }
};

const serve = (socket: Socket): void => {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    rest = readRequests(socket, rest.length === 0 ? chunk : Buffer.concat([rest, chunk]));
  });
};

process.on('message', (message: string | { readonly path: string; readonly key: string }) => {
  if (typeof message !== 'string') {
    keys.set(message.path, Buffer.from(message.key, 'base64'));
    return void process.send?.({});
  }
  if (message === 'count') process.send?.({ ...counted, distinct: seen.size });
  if (message === 'times') process.send?.({ times: [...firstAt] });
  if (message === 'forget') {
    seen.clear();
    firstAt.clear();
    counted.hits = 0;
    process.send?.({});
  }
});
process.on('disconnect', () => process.exit());

// As many ports as requested: endpoints of many merchants are many hosts.
const ports = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, async () => {
    const server = createServer({ noDelay: true }, serve).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }),
);
process.send?.({ ports });
