import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';

let service: TestService;
let port: number;
beforeAll(async () => {
  service = await openTestService();
  port = Number(new URL(await service.listen()).port);
});
afterAll(() => service.close());

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a header that is none', 'GET / HTTP/1.1\r\nhost: a\r\nno header\r\n\r\n'],
  ['headers that never end', `GET / HTTP/1.1\r\nhost: a\r\na: ${'x'.repeat(40_000)}\r\n\r\n`],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
])('%s is answered in the common shape of errors', async (_, sent) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}/);
  expect(JSON.parse(body)).toEqual({
    name: 'BAD_REQUEST',
    message: expect.stringMatching(/HTTP/),
    status: 400,
    errors: [],
  });
});

test.each(['/%', '/%zz', '/%C0%80'])('%s is not an address', async (path) => {
  const reply = await service.request('GET', path, { secret: null });
  expect(reply).toMatchObject({ status: 400, body: { name: 'BAD_REQUEST', errors: [] } });
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});
