import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  issueAuthority,
  issueServerCertificate,
} from '../../simulator/src/trust/issued-certificate.ts';
import { openBrowser } from '../harness/browser/open-browser.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { runCommand } from '../harness/programs/run-command.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { addAuthenticator, waysOf } from './add-authenticator.ts';

const names = ['pay.florin.test', 'people.florin.test'] as const;
let proxy: Server;
let sandbox: Sandbox;
let browser: Browser;
let payers: string;
let people: string;

/** As an operator has one: it takes the TLS off, and passes the host on. */
const openProxy = async (certificate: { keyPem: string; certificatePem: string }) => {
  const { keyPem: key, certificatePem: cert } = certificate;
  const server = createServer({ key, cert }, (call, reply) => {
    const { method, headers } = call;
    const sent = request(`${sandbox.url}${call.url}`, { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    sent.on('error', () => reply.destroy());
    call.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

beforeAll(async () => {
  const now = Date.now();
  const own = await issueServerCertificate(await issueAuthority('Florin tests', now), names, now);
  proxy = await openProxy(own);
  const { port } = proxy.address() as AddressInfo;
  [payers, people] = names.map((name) => `https://${name}:${port}`) as [string, string];
  const key = new X509Certificate(own.certificatePem).publicKey;
  const trusted = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }));
  [sandbox, browser] = await Promise.all([
    openSandbox({ PUBLIC_URL: payers, DASHBOARD_URL: people, OPEN_SIGN_UP: 'on' }),
    // A page whose certificate is not trusted has no passkeys.
    openBrowser([
      '--host-resolver-rules=MAP *.florin.test 127.0.0.1',
      `--ignore-certificate-errors-spki-list=${trusted.digest('base64')}`,
    ]),
  ]);
  const page = { headers: { host: new URL(people).host } };
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${sandbox.url}/dashboard/sign-in`, page, (reply) =>
        resolve(reply.resume().statusCode),
      );
      asked.on('error', reject).end();
    });
  // In a fresh clone the pages are built first: until then they say so with 503.
  await waitUntil(async () => (await ask()) === 200, { withinMs: 170_000 });
});
afterAll(async () => {
  await browser?.close();
  proxy?.closeAllConnections();
  proxy?.close();
  await sandbox?.close();
});

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">
  <rect width="40" height="40" fill="red"/></svg>`;

test('on a host of its own the dashboard has passkeys, the preview, and codes to scan', async () => {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  page.on('pageerror', ({ message }) => said.push(message));
  const isDrawn = async (code: Locator) => {
    await code.waitFor();
    const width = () => code.evaluate((one) => Reflect.get(one, 'naturalWidth'));
    await expect.poll(width, { message: said.join('\n') }).toBeGreaterThan(0);
  };
  await addAuthenticator(page);
  // Asked for where payers are, it is led to its own host.
  await page.goto(`${payers}/dashboard/sign-up`);
  expect(new URL(page.url()).origin).toBe(people);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Business').fill('Harbour Books');
  await page.getByLabel('Email').fill('grace@example.com');
  await page.locator('input[name=password]').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.waitForURL(/\/sandbox\/home/);
  const own = page.url().replace(/home.*$/, '');
  await page.getByRole('button', { name: 'Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/sandbox\/home/);
  expect(await waysOf(sandbox, 'grace@example.com')).toEqual(['passkey']);
  for (const { name, domain } of await context.cookies())
    expect([name, domain]).toEqual([expect.stringMatching(/^__Host-florin/), names[1]]);
  said.splice(0);

  await page.goto(`${own}settings/checkout`);
  const shown = page.frameLocator('iframe[title="Preview of the checkout"]');
  await shown.getByText('£42.50').first().waitFor();
  const file = join(sandbox.folder, 'logo.svg');
  await writeFile(file, logo);
  const [, merchantId = ''] = /dashboard\/([^/]+)/.exec(own) ?? [];
  const set = await runCommand('configure-merchant.ts', [merchantId, 'sandbox', 'logo', file], {
    ...{ FLORIN_DATA: sandbox.folder, DATABASE_URL: sandbox.databaseUrl },
  });
  expect(set, set.said).toMatchObject({ code: 0 });
  await page.reload();
  await isDrawn(page.getByAltText('Your logo'));
  const seen = page.getByRole('region', { name: 'What your customers see' });
  await isDrawn(shown.locator('img').first());
  await seen.getByText('Banks', { exact: true }).click();
  await shown.getByText('Choose your bank').first().waitFor();
  await seen.getByText('Paid', { exact: true }).click();
  await shown.getByText('Payment complete').first().waitFor();

  await page.goto(`${own}links`);
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Amount in pounds').fill('48.60');
  await page.getByRole('textbox', { name: 'Order' }).fill('INV-7001');
  await page.getByLabel('Amount in pounds').press('Enter');
  await page.getByRole('heading', { level: 1, name: '£48.60 for order INV-7001' }).waitFor();
  await isDrawn(page.getByRole('img', { name: /^QR code of the link/ }));
  await page.goto(`${own}codes`);
  await page.getByRole('button', { name: 'New code' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Table 4');
  await page.getByLabel('Maximum in pounds').fill('50');
  await page.getByRole('button', { name: 'Create code' }).click();
  await page.getByRole('link', { name: 'Print sheet' }).click();
  await isDrawn(page.getByRole('img', { name: 'QR code Table 4' }));
  expect(said).toEqual([]);
  await context.close();
}, 240_000);
