import { afterEach, expect, test } from 'vitest';
import { openMailServer } from '../../../test/harness/open-mail-server.ts';
import { openSmtp } from './smtp.ts';

const opened: { readonly close: () => void }[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

const from = 'florin@pay.example';
const mail = { messageId: 'webhook-7', to: 'owner@shop.example', subject: 'Stopped', text: 'Why' };

const openServer = async (refuses = false) => {
  const server = await openMailServer(refuses);
  opened.push(server);
  return server;
};

test('a mail is sent as text and HTML', async () => {
  const { mails, url } = await openServer();
  const rail = openSmtp({ url, from, withoutTls: true });
  expect(await rail.send(mail)).toEqual({ kind: 'SENT' });
  expect(mails[0]).toMatch(/^To: owner@shop\.example$/m);
  expect(mails[0]).toMatch(/^Message-ID: <webhook-7@pay\.example>$/m);
  expect(await rail.send({ ...mail, html: '<p>Why</p>' })).toEqual({ kind: 'SENT' });
  expect(mails[1]).toMatch(/multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/);
  await rail.close();
});

test('a rejection and an unreachable server are outcomes', async () => {
  const { url } = await openServer(true);
  const refusing = openSmtp({ url, from, withoutTls: true });
  expect(await refusing.send(mail)).toMatchObject({ kind: 'FAILED' });
  const away = openSmtp({ url: 'smtp://127.0.0.1:1', from });
  expect(await away.send(mail)).toMatchObject({ kind: 'FAILED' });
});

test('no mail goes to a server without TLS, unless a setting says so', async () => {
  const { mails, url } = await openServer();
  const rail = openSmtp({ url, from });
  expect(await rail.send(mail)).toMatchObject({ kind: 'FAILED' });
  expect(mails).toEqual([]);
  await rail.close();
});
