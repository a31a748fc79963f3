import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server as PlainServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../../test/harness/wait-until.ts';
import { emitMany } from '../../../../../../test/webhooks/emit.ts';
import { selfSigned } from '../../../../../../test/webhooks/self-signed.ts';
import { type Dispatcher, merchantRoutes, startDispatcher } from '../../index.ts';

let service: TestService;
let dispatcher: Dispatcher;
const servers: PlainServer[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes(tools) });
  dispatcher = startDispatcher(service.tools);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await dispatcher.stop();
  await service.close();
});

const listen = async (server: PlainServer): Promise<number> => {
  servers.push(server);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A receiver on the level of bytes: `answer` is called once a whole request has arrived. */
const rawReceiver = (answer: (socket: Socket, request: number) => void) => {
  let requests = 0;
  return listen(
    createServer((socket) => {
      socket.on('data', (chunk) => {
        if (!chunk.toString('latin1').includes('}')) return;
        requests += 1;
        answer(socket, requests);
      });
    }),
  );
};

const reply = (line: string, headers: readonly string[] = [], body: string | Buffer = '') =>
  Buffer.concat([
    Buffer.from(
      [`HTTP/1.1 ${line}`, `content-length: ${body.length}`, ...headers, '', ''].join('\r\n'),
    ),
    Buffer.from(body),
  ]);

type Logged = {
  readonly outcome: string;
  readonly status: number | null;
  readonly responseBody: string | null;
  readonly retryAfterSeconds: number | null;
};

/** Delivers one event there, and answers the logged outcome of the first attempt. */
const deliverTo = async (port: number, scheme = 'http'): Promise<Logged> => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.SANDBOX;
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  const body = { url: `${scheme}://127.0.0.1:${port}/hook`, events: ['PAYMENTS_STATUS'] };
  const path = '/api/webhook/v2/endpoints';
  const { id } = (await service.request('POST', path, { secret, body })).body;
  dispatcher.wake(await emitMany(service.database, tenant, 1));
  const read = async (rest: string) =>
    (await service.request('GET', `${path}/${id}/deliveries${rest}`, { secret })).body;
  return waitUntil(
    async () => {
      const [delivery] = (await read('')).data;
      return (await read(`/${delivery.deliveryId}`)).log[0] as Logged | undefined;
    },
    { withinMs: 25_000 },
  );
};

const ends = (line: string, headers?: readonly string[], body?: string | Buffer) => () =>
  rawReceiver((socket) => socket.write(reply(line, headers, body)));

const drip = (socket: Socket) => {
  socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
  const timer = setInterval(() => socket.write('1\r\nx\r\n'), 200);
  socket.on('close', () => clearInterval(timer));
};

const modes: readonly (readonly [string, () => Promise<number>, Partial<Logged>])[] = [
  ['hangs before its headers', () => rawReceiver(() => undefined), { outcome: 'TIMEOUT' }],
  [
    'hangs within its headers',
    () => rawReceiver((socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: ')),
    { outcome: 'TIMEOUT' },
  ],
  ['says 200 and drips its body', () => rawReceiver(drip), { outcome: 'DELIVERED', status: 200 }],
  [
    'sends ten megabytes',
    ends('200 OK', [], Buffer.alloc(10_000_000, 'x')),
    { outcome: 'DELIVERED', responseBody: 'x'.repeat(16_384) },
  ],
  [
    'sends NUL and invalid UTF-8',
    ends('200 OK', ['x-odd: \xff\xfe'], Buffer.from([0, 0xff, 0xfe, 0x41])),
    { outcome: 'DELIVERED' },
  ],
  ['answers 204', ends('204 No Content'), { outcome: 'STATUS', status: 204 }],
  ['answers 201', ends('201 Created'), { outcome: 'STATUS', status: 201 }],
  [
    'redirects',
    ends('302 Found', ['location: http://127.0.0.1:1/']),
    { outcome: 'STATUS', status: 302 },
  ],
  ['answers 410', ends('410 Gone'), { outcome: 'STATUS', status: 410 }],
  [
    'asks for seconds',
    ends('429 Slow', ['retry-after: 30']),
    { status: 429, retryAfterSeconds: 30 },
  ],
  [
    'asks for a past date',
    ends('503 Busy', ['retry-after: Wed, 21 Oct 2015 07:28:00 GMT']),
    { status: 503, retryAfterSeconds: 0 },
  ],
  [
    'asks for the year 9999',
    ends('503 Busy', ['retry-after: Fri, 31 Dec 9999 23:59:59 GMT']),
    { status: 503, retryAfterSeconds: 86_400 },
  ],
  [
    'asks for thirty years of seconds',
    ends('429 Slow', ['retry-after: 999999999']),
    { status: 429, retryAfterSeconds: 86_400 },
  ],
  ['answers a status of no class', ends('999 Odd'), { outcome: 'STATUS', status: 999 }],
  ['answers a status that is too long', ends('99999 Odd'), { outcome: 'RESET', status: null }],
  [
    'asks for nonsense',
    ends('429 Slow', ['retry-after: soon-ish']),
    { status: 429, retryAfterSeconds: null },
  ],
  [
    'resets the connection',
    () => rawReceiver((socket) => socket.resetAndDestroy()),
    { outcome: 'RESET' },
  ],
  [
    'speaks no HTTP',
    () => rawReceiver((socket) => socket.write('SSH-2.0-x\r\n')),
    { outcome: 'RESET' },
  ],
  [
    'sends endless headers',
    ends('200 OK', [`x-long: ${'y'.repeat(20_000)}`]),
    { outcome: 'RESET' },
  ],
  [
    'is not there',
    async () => {
      const server = createServer();
      const port = await listen(server);
      await new Promise((resolve) => server.close(resolve));
      return port;
    },
    { outcome: 'CONNECT' },
  ],
];

test.concurrent.each(modes)('a receiver that %s', async (_, open, expected) => {
  expect(await deliverTo(await open())).toMatchObject(expected);
});

test.concurrent('a certificate of an unknown issuer is refused', async () => {
  const port = await listen(createTlsServer(selfSigned, (socket) => socket.end()));
  expect(await deliverTo(port, 'https')).toMatchObject({ outcome: 'TLS' });
});

test.concurrent('TLS before 1.2 is refused', async () => {
  const old = {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  } as const;
  const server = createTlsServer({ ...selfSigned, ...old }, (socket) => socket.end());
  const failed = once(server, 'tlsClientError');
  expect(await deliverTo(await listen(server), 'https')).toMatchObject({ outcome: 'TLS' });
  expect((await failed)[0]).toMatchObject({ code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' });
});

test('a reused connection that the receiver closed costs no attempt', async () => {
  const port = await rawReceiver((socket, request) => {
    if (request === 2) socket.destroy();
    else socket.write(reply('200 OK', ['connection: keep-alive']));
  });
  expect(await deliverTo(port)).toMatchObject({ outcome: 'DELIVERED' });
  expect(await deliverTo(port)).toMatchObject({ outcome: 'DELIVERED' });
});
