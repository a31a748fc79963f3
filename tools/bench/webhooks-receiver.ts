import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A process of its own: answers 200 at once, hangs under /hang, and counts events by their id.
const seen = new Map<string, number>();
const firstAt = new Map<string, number>();
let hits = 0;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, reply) => {
  if (request.url?.startsWith('/hang')) return void request.resume();
  const now = performance.timeOrigin + performance.now();
  const id = String(request.headers['x-service-event-id']);
  request.resume();
  request.on('end', () => {
    hits += 1;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    if (!firstAt.has(id)) firstAt.set(id, now);
    reply.end('ok');
  });
});

process.on('message', (message) => {
  if (message === 'count') process.send?.({ hits, distinct: seen.size });
  if (message === 'times') process.send?.({ times: [...firstAt] });
  if (message === 'forget') {
    seen.clear();
    firstAt.clear();
    hits = 0;
    process.send?.({});
  }
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
