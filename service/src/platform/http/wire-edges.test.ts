import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { operation } from '@florin/contract';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { parseForms } from './input/read-json.ts';
import { openRoute } from './route.ts';

const described = (method: 'GET' | 'POST', path: `/${string}`) =>
  operation({
    id: `${method} ${path}`,
    route: `${method} ${path}`,
    access: 'open',
    summary: 'An echo.',
    rules: ['WIRE-6'],
    query: Type.Object({ q: Type.Optional(Type.String()) }),
    ...(method === 'POST' ? { body: Type.Object({ note: Type.String() }) } : {}),
    reply: Type.Object({ said: Type.String() }),
  });

let service: TestService;
let port: number;
beforeAll(async () => {
  service = await openTestService({
    routes: () => [
      openRoute(described('GET', '/notes/:id'), async ({ query }) => ({ said: query.q ?? '' })),
      openRoute(described('POST', '/api/payments/process-payment'), async () => ({ said: '' })),
      openRoute(described('GET', '/api/customers/:customerId'), async () => ({ said: '' })),
      openRoute(described('POST', '/notes'), async ({ body }) => ({
        said: (body as { note: string }).note,
      })),
    ],
  });
  await service.app.register(async (pages) => {
    parseForms(pages);
    pages.post('/form', async (request) => ({ said: (request.body as { note: string }).note }));
    pages.get('/broken', async () => {
      throw new Error('select password_hash from person_credential');
    });
  });
  port = Number(new URL(await service.listen()).port);
});
afterAll(() => service.close());

const json = (note: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"note":"'), Buffer.from(note), Buffer.from('"}')]);
const send = (body: Buffer | string, headers: Record<string, string> = {}, path = '/notes') =>
  service.request('POST', path, { secret: null, body: Buffer.from(body), headers });
const type = (value: string) => ({ 'content-type': value });

test.each([
  ['{"note":"a","note":"b"}', 'note'],
  ['{"note":"a","n\\u006fte" : "b"}', 'note'],
  ['{"note":"a","more":[{"deep":{"x":1,"y":"\\"x\\":","x":2}}]}', 'x'],
  ['{"note":"a","__proto__":1,"__proto__":2}', '__proto__'],
  ['{"note":"a","a b":1,"a b":1}', 'body'],
])('a member that stands twice is refused: %s', async (body, field) => {
  const reply = await send(body, type('application/json'));
  expect([reply.status, reply.body.errors[0]?.field]).toEqual([400, field]);
});

test.each([
  '{"note":"a","__proto__":1}',
  '{"note":"\\"note\\":","more":{"note":"a"}}',
  '{"note":"a","list":[{"x":1},{"x":1}]}',
])('a name that stands in two objects is not refused: %s', async (body) => {
  expect((await send(body, type('application/json'))).status).toBe(200);
});

describe('text', () => {
  const latin1 = Buffer.from('caf\xe9', 'latin1');
  const cesu = Buffer.from([0xed, 0xa0, 0xbd]);

  test.each([
    ['latin1', latin1],
    ['half a character', cesu],
    ['an overlong slash', Buffer.from([0xc0, 0xaf])],
    ['a cut character', Buffer.from([0xf0, 0x9f, 0x99])],
  ])('that is not UTF-8 is refused in JSON: %s', async (_, note) => {
    const { status, body } = await send(json(note));
    expect([status, body.name, body.message]).toEqual([
      400,
      'BAD_REQUEST',
      'The body is not valid UTF-8.',
    ]);
  });

  test('that is not UTF-8 is refused in a form, escaped or not', async () => {
    const form = type('application/x-www-form-urlencoded');
    for (const bytes of [Buffer.concat([Buffer.from('note='), latin1]), 'note=caf%E9'])
      expect((await send(bytes, form, '/form')).status).toBe(400);
    expect((await send('note=caf%C3%A9+50%', form, '/form')).body).toEqual({ said: 'café 50%' });
  });

  test('of a form holds no control, escaped as it may be', async () => {
    const form = type('application/x-www-form-urlencoded');
    const { body } = await send('note=a%1B%e2%80%aeb%C2%85+%07%09c%0A50%', form, '/form');
    expect(body).toEqual({ said: 'ab \tc\n50%' });
  });

  test('that is not UTF-8 is refused in an address', async () => {
    const get = (q: string) => service.request('GET', `/notes/1?q=${q}`, { secret: null });
    expect((await get('caf%E9')).body.message).toBe('The address is not valid UTF-8.');
    expect((await get('%ED%A0%BD')).status).toBe(400);
    expect((await get('caf%C3%A9')).body).toEqual({ said: 'café' });
  });

  test.each(['iso-8859-1', 'utf-16', 'UTF-16LE', '"windows-1252"', 'utf-7'])(
    'in the charset %s is refused',
    async (charset) => {
      const { status, body } = await send(json('a'), type(`application/json; charset=${charset}`));
      expect([status, body.name]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    },
  );

  test.each(['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'us-ascii'])(
    'in the charset %s is read',
    async (charset) => {
      const { body } = await send(json('a'), type(`application/json;charset=${charset}`));
      expect(body).toEqual({ said: 'a' });
    },
  );
});

describe('a request', () => {
  test.each(['gzip', 'br', 'deflate', 'identity, gzip'])('compressed by %s is 415', async (by) => {
    const { status, body } = await send(gzipSync(json('a')), { 'content-encoding': by });
    expect([status, body.name]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('that names the identity encoding is read', async () => {
    expect((await send(json('a'), { 'content-encoding': 'identity' })).status).toBe(200);
  });

  test.each([
    ['Host', 'HOST: b.example'],
    ['Authorization', 'authorization: Bearer a\r\nAuthorization: Bearer b'],
  ])('with two %s headers is 400', async (_, headers) => {
    const socket = connect(port, '127.0.0.1');
    const head = `GET /notes/1 HTTP/1.1\r\nhost: a.example\r\n${headers}\r\n`;
    socket.write(`${head}connection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"name":"BAD_REQUEST"/);
  });

  test('with HEAD is answered as GET is, without a body', async () => {
    const got = await service.request('GET', '/notes/1?q=tea', { secret: null });
    const head = await service.request('HEAD', '/notes/1?q=tea', { secret: null });
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length'])
      expect(head.headers[name]).toBe(got.headers[name]);
  });

  test.each([
    ['POST', '/notes/1', 'GET, HEAD'],
    ['DELETE', '/notes/1/', 'GET, HEAD'],
    ['GET', '/notes?q=1', 'POST'],
    ['OPTIONS', '/notes', 'POST'],
    ['TRACE', '/notes', 'POST'],
  ])('with another method is 405: %s %s', async (method, path, allow) => {
    const { status, body, headers } = await service.request(method, path, { secret: null });
    expect([status, body.name, headers.allow]).toEqual([405, 'METHOD_NOT_ALLOWED', allow]);
  });

  test('to an address that does not exist is 404', async () => {
    const { status, body } = await service.request('POST', '/notes/1/2', { secret: null });
    expect([status, body.name]).toEqual([404, 'NOT_FOUND']);
  });

  test.each([
    ['POST', '/api/payment/process-payment', 'POST /api/payments/process-payment'],
    ['POST', '/payments/process-payment', 'POST /api/payments/process-payment'],
    ['GET', '/api/customer/7', 'GET /api/customers/{customerId}'],
    ['GET', '/api/nothing-like-it', null],
    ['GET', `/api/${'a/'.repeat(110)}`, null],
  ])('to %s %s is led to %s', async (method, path, meant) => {
    const { status, body } = await service.request(method, path, { secret: null });
    expect(status).toBe(404);
    expect(/Did you mean (.+)\?/.exec(body.message)?.[1] ?? null).toBe(meant);
  });

  test('is answered with nothing to store, guess, run or frame, an error too', async () => {
    for (const path of ['/notes/1?q=tea', '/none', '/%zz', '/notes/1?q=%00']) {
      const { headers } = await service.request('GET', path, { secret: null });
      expect(headers['cache-control'], path).toBe('no-store');
      expect(headers['x-content-type-options'], path).toBe('nosniff');
      expect(headers['content-security-policy'], path).toBe(
        "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      );
    }
  });

  test('that fails by a mistake of ours says nothing of it, and the log does', async () => {
    const { status, body, headers } = await service.request('GET', '/broken', { secret: null });
    expect([status, body.name, body.errors]).toEqual([500, 'INTERNAL_ERROR', []]);
    expect(JSON.stringify(body)).not.toMatch(/select|password|stack|wire-edges/);
    const lines = service.logged.filter((line) => line.includes('internal error'));
    expect(lines).toEqual([expect.stringContaining(String(headers['x-request-id']))]);
  });

  test('with a slash at the end is answered', async () => {
    expect((await service.request('GET', '/notes/1/?q=a', { secret: null })).status).toBe(200);
    expect((await send(json('a'), {}, '/notes/')).status).toBe(200);
  });
});
