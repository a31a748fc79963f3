import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFences } from '../../../tools/read-fences.ts';
import { isLongRun } from '../../harness/is-long-run.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { findTestPort } from '../../harness/programs/find-test-port.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const guides = fileURLToPath(new URL('../../../docs/guides/', import.meta.url));
const read = (name: string): Promise<string> => readFile(`${guides}${name}`, 'utf8');
const run = promisify(execFile);

let sandbox: Sandbox;
let folder: string;
let signingSecret: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  folder = await mkdtemp(join(tmpdir(), 'florin-guides-'));
  const made = await sandbox.request('POST', '/api/sandbox/webhook/signing-secret', {});
  signingSecret = made.body.signingSecret;
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a reader pastes, in one shell; the start and its variables are ours here. */
const paste = async (guide: string, before = ''): Promise<string> => {
  const fences = readFences(await read(guide), 'sh').filter((each) => !/^npm|^\. /.test(each));
  const script = [before, ...fences].join('\n');
  const env = { ...process.env, ...(await withCurl()), URL: sandbox.url, SECRET: sandbox.secret };
  const { stdout } = await run('sh', ['-ec', script], { env });
  return stdout;
};

/** A machine may have nothing but Node. */
const withCurl = async (): Promise<{ readonly PATH?: string }> => {
  if (spawnSync('curl', ['--version']).status === 0) return {};
  const standIn = fileURLToPath(new URL('../../harness/programs/curl.mjs', import.meta.url));
  const script = `#!/bin/sh\nexec node '${standIn}' "$@"\n`;
  await writeFile(join(folder, 'curl'), script, { mode: 0o755 });
  return { PATH: `${folder}:${process.env.PATH}` };
};

const newPayment = (amount: number) => async (): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount, expiresIn: 900_000 };
  const { body: made } = await sandbox.request('POST', '/api/payments/process-payment', { body });
  return `export ID=${made.paymentRequestId}`;
};

const noPayment = async (): Promise<string> => '';

describe('the commands of a guide paste', () => {
  test.each([
    ['quick-start.md', noPayment, [/"status":"COMPLETED"/]],
    ['test-outcomes.md', newPayment(12.5), [/"status":"FAILED"/, /"offsetMs":900000/]],
    ['saved-cards.md', noPayment, [/"status":"COMPLETED"/, /"status":"PENDING","amount":5/]],
    ['split-bills.md', noPayment, [/"status":"PENDING"/, /"status":"COMPLETED"/]],
  ] as const)('%s', async (guide, before, expected) => {
    const said = await paste(guide, await before());
    for (const each of expected) expect(said).toMatch(each);
    expect(said).not.toMatch(/"name":"[A-Z_]+","message"/);
  });
});

/** What the reference shows of each operation, in the languages that it offers. */
const examples: Readonly<Record<string, readonly [command: string, ...words: string[]]>> = {
  sh: ['sh', '-c'],
  ts: ['node', '--input-type=module', '--eval'],
  python: ['python3', '-c'],
  php: ['php', '-r'],
};
const needs: Readonly<Record<string, readonly string[]>> = {
  sh: ['-c', 'true'],
  node: ['--version'],
  python3: ['--version'],
  php: ['-r', 'curl_init();'],
};
const runnable = Object.entries(examples).filter(
  ([, [command]]) => spawnSync(command, needs[command]).status === 0,
);

test.each(isLongRun ? runnable : runnable.slice(0, 2))(
  'the examples of the reference run: %s',
  async (language, [command, ...words]) => {
    const { body } = await sandbox.request('GET', '/docs/reference/payments.md');
    const [create = '', read = ''] = readFences(String(body), language);
    const env = { ...process.env, ...(await withCurl()), URL: sandbox.url, SECRET: sandbox.secret };
    const runWith = async (code: string, more: object = {}) =>
      (await run(command, [...words, code.replace('<?php', '')], { env: { ...env, ...more } }))
        .stdout;
    const made = await runWith(create);
    const [, id = ''] = /paymentRequestId\W+([0-9a-f-]{36})/.exec(made) ?? [];
    expect(id, made).not.toBe('');
    expect(await runWith(read, { ID: id })).toContain('order-1042');
  },
);

/** Language of the fence, file, how it is started, how we know that it is installed. */
const languages: Readonly<Record<string, readonly [string, (port: number) => readonly string[]]>> =
  {
    js: ['receiver.mjs', () => ['node', 'receiver.mjs']],
    python: ['receiver.py', () => ['python3', 'receiver.py']],
    php: ['receiver.php', (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php']],
    ruby: ['receiver.rb', () => ['ruby', 'receiver.rb']],
    go: ['receiver.go', () => ['go', 'run', 'receiver.go']],
  };

const isInstalled = (language: string): boolean => {
  const [command = ''] = languages[language]?.[1](0) ?? [];
  return spawnSync(command, [language === 'go' ? 'version' : '--version']).status === 0;
};
const installed = Object.keys(languages).filter(isInstalled);

const openGuideReceiver = async (language: string) => {
  const port = await findTestPort();
  const [code = ''] = readFences(await read('first-webhook.md'), language);
  const [file, commandOf] = languages[language] ?? ['', () => []];
  await writeFile(join(folder, file), code.replaceAll('4000', String(port)));
  const [command = '', ...words] = commandOf(port);
  const env = { ...process.env, SIGNING_SECRET: signingSecret };
  const child = spawn(command, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  return { url: `http://127.0.0.1:${port}/`, said: () => said, stop: () => child.kill() };
};

describe(`the receiver of the guide (installed here: ${installed.join(', ')})`, () => {
  test('is the file that the README starts', async () => {
    const [shown] = readFences(await read('first-webhook.md'), 'js');
    expect(`${shown}\n`).toBe(await read('receiver.mjs'));
    expect(installed).toContain('js');
    expect(readFences(await read('first-webhook.md'), 'ruby')).toHaveLength(1);
  });

  test.each(isLongRun ? installed : installed.slice(0, 1))(
    'accepts what is genuine and refuses what is not: %s',
    async (language) => {
      const receiver = await openGuideReceiver(language);
      const forge = (headers: Record<string, string>) =>
        fetch(receiver.url, { method: 'POST', body: '{"forged":true}', headers });
      const forged = await waitUntil(() =>
        forge({ 'x-service-signature': `v1=${'0'.repeat(64)}` }),
      );
      expect(forged.status).toBe(401);
      expect((await forge({ 'x-service-signature': 'v1=short' })).status).toBe(401);
      expect((await forge({})).status).toBe(401);
      const endpoint = await sandbox.request('POST', '/api/webhook/v2/endpoints', {
        body: { url: receiver.url, events: ['PAYMENTS_STATUS'] },
      });
      const orderId = `order-for-${language}`;
      const body = { eventType: 'PAYMENTS_STATUS', orderId };
      await sandbox.request('POST', '/api/webhook/test', { body });
      await waitUntil(() => receiver.said().includes(orderId));
      expect(receiver.said()).toMatch(/^verified \{/m);
      expect(receiver.said()).not.toContain('forged');
      await sandbox.request('DELETE', `/api/webhook/v2/endpoints/${endpoint.body.id}`);
      receiver.stop();
    },
  );
});
