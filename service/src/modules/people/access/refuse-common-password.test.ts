import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { refuseCommonPassword } from './refuse-common-password.ts';

const ada = {
  email: 'ada.lovelace@harbour-coffee.example',
  names: ['Ada Lovelace', 'Harbour Coffee'],
};
const logged: string[] = [];
const check = (password: string, leakedPasswordsUrl: string | null = null) => {
  const log = { warn: (_: unknown, message: string) => logged.push(message) };
  const tools = { config: { leakedPasswordsUrl }, log } as never;
  return refuseCommonPassword(tools, 'password', password, ada);
};

describe('a password is refused', () => {
  test.each([
    '1234567890',
    'Password123!',
    'qwertyuiop',
    '!iloveyou2026',
    'aaaaaaaaaa',
    'abcabcabcabc',
  ])('that many have: %s', (password) =>
    expect(check(password)).rejects.toMatchObject({ errors: [{ field: 'password' }] }),
  );

  test.each(['Ada-Lovelace', 'harbourcoffee1', 'Florin Payment!', 'coffee-ada1'])(
    'that is a name and little more: %s',
    (password) => expect(check(password)).rejects.toThrow('little more than a name'),
  );
});

test.each([
  'a long password',
  'correct horse',
  'sunshine-48212-81722',
  'harbour lights at noon',
  'Xk2-vv93-lq0P',
  'пароль из слов',
])('another one is taken: %s', (password) => expect(check(password)).resolves.toBeUndefined());

test('one that was stolen is refused, and the service learns five digits of its hash', async () => {
  const [stolen, other] = ['harbour lights at dawn', 'harbour lights at dusk'];
  const digestOf = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();
  const asked: (string | undefined)[] = [];
  const answer = { status: 200 };
  const service = createServer(({ url }, reply) => {
    asked.push(url);
    const lines = [`${digestOf(stolen).slice(5)}:12`, `${digestOf(other).slice(5)}:0`];
    reply.writeHead(answer.status).end(lines.join('\r\n'));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/range`;
  await expect(check(stolen, url)).rejects.toThrow('in a list of stolen ones');
  await expect(check(other, url)).resolves.toBeUndefined();
  expect(asked).toEqual([stolen, other].map((each) => `/range/${digestOf(each).slice(0, 5)}`));
  expect(logged).toEqual([]);
  answer.status = 503;
  await expect(check(stolen, url)).resolves.toBeUndefined();
  expect(logged).toEqual(['the service of leaked passwords did not answer']);
  service.close();
});
