import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openSmtp } from './open-smtp.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const answers = [
  [/^EHLO/, '250 mail.test'],
  [/^DATA$/, '354 go on'],
  [/^QUIT$/, '221 bye'],
  [/^/, '250 ok'],
] as const;

const answerTo = (line: string, refuses: boolean): string =>
  refuses && line.startsWith('RCPT')
    ? '550 no such box'
    : (answers.find(([pattern]) => pattern.test(line))?.[1] ?? '');

/** As much of RFC 5321 as one mail needs. */
const openMailServer = async (refuses: boolean) => {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let data: string[] | null = null;
    const read = (line: string): string => {
      if (data === null) {
        if (line === 'DATA') data = [];
        return `${answerTo(line, refuses)}\r\n`;
      }
      data.push(line);
      if (line !== '.') return '';
      mails.push(data.join('\n'));
      data = null;
      return '250 kept\r\n';
    };
    let rest = '';
    socket.write('220 mail.test\r\n');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('utf8')).split('\r\n');
      rest = lines.pop() ?? '';
      socket.write(lines.map(read).join(''));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { mails, port: (server.address() as AddressInfo).port };
};

const mail = { messageId: 'webhook-7', to: 'owner@shop.example', subject: 'Stopped', text: 'Why' };

test('a mail is handed to the server', async () => {
  const { mails, port } = await openMailServer(false);
  const rail = openSmtp({ url: `smtp://127.0.0.1:${port}`, from: 'florin@pay.example' });
  expect(await rail.send(mail)).toEqual({ kind: 'SENT' });
  expect(mails[0]).toMatch(/^To: owner@shop\.example$/m);
  expect(mails[0]).toMatch(/^Message-ID: <webhook-7@pay\.example>$/m);
  await rail.close();
});

test('a refusal and a server that is away are outcomes', async () => {
  const { port } = await openMailServer(true);
  const refusing = openSmtp({ url: `smtp://127.0.0.1:${port}`, from: 'florin@pay.example' });
  expect(await refusing.send(mail)).toMatchObject({ kind: 'FAILED' });
  const away = openSmtp({ url: 'smtp://127.0.0.1:1', from: 'florin@pay.example' });
  expect(await away.send(mail)).toMatchObject({ kind: 'FAILED' });
});
