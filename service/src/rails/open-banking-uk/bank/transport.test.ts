import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerBytesMax } from '#rails/http-limits.ts';
import { newTestClient } from '../test/new-test-client.ts';
import type { Transport } from './transport.ts';
import { openTransport } from './transport.ts';

let server: Server;
let transport: Transport;
let address: string;

// Long enough for a busy machine: at 800 ms the longest answer was taken for an endless one.
const timeouts = { connectMs: 2_000, headersMs: 2_000, bodyMs: 2_000, totalMs: 3_000 };

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/huge') response.end(Buffer.alloc(answerBytesMax + 1));
    else if (request.url === '/full') response.end(Buffer.alloc(answerBytesMax));
    else if (request.url === '/moved') response.writeHead(302, { location: '/full' }).end();
    else {
      // A byte now and then satisfies every timeout but the total one.
      const drip = setInterval(() => response.write('.'), 100);
      request.socket.on('close', () => clearInterval(drip));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  transport = openTransport(await newTestClient(), timeouts);
});

afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
});

const get = (path: string) => transport.send(`${address}${path}`, { method: 'GET', headers: {} });

test('an answer is read up to the limit only', async () => {
  expect((await get('/full')).body).toHaveLength(answerBytesMax);
  await expect(get('/huge')).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
});

test('an endless answer is given up', async () => {
  await expect(get('/drip')).rejects.toThrow();
});

test('a redirect is not followed', async () => {
  expect((await get('/moved')).status).toBe(302);
});
