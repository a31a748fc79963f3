import {
  type ChildProcess,
  type ExecFileSyncOptions,
  execFileSync,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInstalled } from '../harness/find-installed.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** HAProxy of the distribution, with the file that is shipped, before an API that answers 200. */
const shipped = new URL('../../deploy/high-availability/haproxy-cells.cfg', import.meta.url);
const installed = findInstalled('HAProxy', {
  packages: { haproxy: 'haproxy', openssl: 'openssl' },
});
const { haproxy = '', openssl = '' } = installed ?? {};
const describeInstalled = (installed ? describe : () => undefined) as typeof describe;
const answering = createServer((_, reply) => reply.end('ok'));
let folder: string;
let proxy: ChildProcess;
let port: number;
let plainPort: number;

const opens = (at: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectPlain(at, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });

/** What is agreed on; null: nothing. */
const agreed = (options: ConnectionOptions): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    socket.on('error', () => resolve(null));
    socket.on('secureConnect', () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
      socket.destroy();
    });
  });

const only = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3', ciphers?: string) => ({
  ...{ minVersion: version, maxVersion: version },
  ...(ciphers && { ciphers }),
});

describeInstalled('the shipped file of the proxy', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'florin-proxy-'));
    [port, plainPort] = [await findTestPort(), await findTestPort()];
    answering.listen(0, '127.0.0.1');
    await once(answering, 'listening');
    const [pem, map] = [join(folder, 'florin.pem'), join(folder, 'cells.map')];
    const made = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=pay.test',
    ];
    const output: ExecFileSyncOptions = { stdio: ['ignore', 'pipe', 'ignore'] };
    await writeFile(pem, execFileSync(openssl, [...made, '-keyout', '-', '-out', '-'], output));
    await writeFile(map, '');
    const config = (await readFile(fileURLToPath(shipped), 'utf8'))
      .replace(/ +(user|group) haproxy\n/g, '')
      .replaceAll('/etc/haproxy/cells.map', map)
      .replace(':443 ssl crt /etc/haproxy/florin.pem', `127.0.0.1:${port} ssl crt ${pem}`)
      .replace('bind :80', `bind 127.0.0.1:${plainPort}`)
      .replace('10.0.0.21:3000', `127.0.0.1:${(answering.address() as AddressInfo).port}`);
    await writeFile(join(folder, 'haproxy.cfg'), config);
    proxy = spawn(haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    await waitUntil(() => opens(plainPort));
  });
  afterAll(async () => {
    proxy.kill();
    answering.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('TLS is 1.2 and 1.3 alone, with the ciphers that the documents name', async () => {
    expect(await agreed(only('TLSv1.3'))).toMatch(/^TLSv1\.3 TLS_/);
    for (const cipher of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'])
      expect(await agreed(only('TLSv1.2', cipher))).toBe(`TLSv1.2 ${cipher}`);
    for (const cipher of ['ECDHE-RSA-AES128-SHA', 'AES128-GCM-SHA256', 'DHE-RSA-AES128-GCM-SHA256'])
      expect([cipher, await agreed(only('TLSv1.2', cipher))]).toEqual([cipher, null]);
    for (const version of ['TLSv1', 'TLSv1.1'] as const)
      expect(await agreed(only(version, 'DEFAULT@SECLEVEL=0'))).toBeNull();
  });

  test('by http a person is led to https, and a program is refused', async () => {
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${plainPort}${path}`, {
        ...{ redirect: 'manual', headers: { host: 'pay.test' } },
      });
      return [status, headers.get('location')?.replace(/^https:\/\/[^/]+/, 'https:') ?? null];
    };
    expect(await ask('/pay?paymentRequestId=1')).toEqual([308, 'https:/pay?paymentRequestId=1']);
    expect(await ask('/dashboard')).toEqual([308, 'https:/dashboard']);
    for (const path of ['/api/payments/process-payment', '/API/refund'])
      expect(await ask(path)).toEqual([403, null]);
  });
});
