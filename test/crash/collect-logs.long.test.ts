import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInstalled } from '../harness/find-installed.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** rsyslog of the distribution, with the file that is shipped, and a second one that collects. */
const shipped = new URL('../../deploy/systemd/florin-rsyslog.conf', import.meta.url);
const installed = findInstalled('The log collector', {
  packages: { rsyslogd: 'rsyslog', openssl: 'openssl', logger: 'bsdutils' },
});
const { rsyslogd = '', openssl = '', logger = '' } = installed ?? {};
const describeInstalled = (installed ? describe : () => undefined) as typeof describe;

const running: ChildProcess[] = [];
let folder: string;
let port: number;
const at = (name: string): string => join(folder, name);

const start = (name: string): ChildProcess => {
  const child = spawn(rsyslogd, ['-n', '-i', at(`${name}.pid`), '-f', at(`${name}.conf`)], {
    stdio: 'ignore',
  });
  running.push(child);
  return child;
};
const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
};

const makeCertificate = (name: string): void => {
  const [subject, key, pem] = [`/CN=${name}`, at(`${name}.key`), at(`${name}.pem`)];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', subject];
  execFileSync(
    openssl,
    [...made, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', pem],
    {
      stdio: 'ignore',
    },
  );
};

const collector = (name: string): string => `
global(workDirectory="${folder}")
module(load="imrelp" tls.tlslib="openssl")
input(type="imrelp" address="127.0.0.1" port="${port}" tls="on" tls.caCert="${at(`${name}.pem`)}"
  tls.myCert="${at(`${name}.pem`)}" tls.myPrivKey="${at(`${name}.key`)}")
action(type="omfile" file="${at('collected')}" template="RSYSLOG_FileFormat")
`;

const say = (tag: string, line: string): void => {
  execFileSync(logger, ['--socket', at('log'), '--tag', tag, '--', line]);
};
const collected = (): Promise<string> => readFile(at('collected'), 'utf8').catch(() => '');
const comes = (line: string) =>
  waitUntil(async () => (await collected()).includes(line), { withinMs: 60_000 });

describeInstalled('the shipped file of the log collector', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'florin-logs-'));
    port = await findTestPort();
    for (const name of ['logs.internal', 'somebody.else']) makeCertificate(name);
    const text = (await readFile(fileURLToPath(shipped), 'utf8'))
      .replace('/etc/florin/logs-ca.pem', at('logs.internal.pem'))
      .replace('/var/spool/rsyslog', folder)
      .replace('target="logs.internal" port="6514"', `target="127.0.0.1" port="${port}"`)
      .replace('action.resumeInterval="10"', 'action.resumeInterval="1"');
    const input = `module(load="imuxsock" SysSock.Use="off")\ninput(type="imuxsock" Socket="${at('log')}")\n`;
    await writeFile(at('sender.conf'), `${input}${text}`);
    await writeFile(at('collector.conf'), collector('logs.internal'));
    await writeFile(at('pretender.conf'), collector('somebody.else'));
    start('sender');
    const isOpen = () =>
      execFileSync('sh', ['-c', `test -S ${at('log')} && echo yes || true`]).length > 0;
    await waitUntil(async () => isOpen(), { withinMs: 20_000 });
  }, 60_000);
  afterAll(async () => {
    for (const child of running) await end(child);
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test('sends what programs say by TLS to its own collector alone, and loses nothing', async () => {
    const line = (text: string) => JSON.stringify({ level: 40, message: text });
    const first = start('collector');
    say('florin-api', line('a sign-in was refused'));
    say('somebody', line('of another program'));
    await comes('florin-api: {"level":40,"message":"a sign-in was refused"}');
    await end(first);

    const pretender = start('pretender');
    for (let at = 0; at < 20; at += 1) say('florin-worker', line(`said meanwhile ${at}`));
    await new Promise((resolve) => pretender.once('spawn', resolve)).catch(() => undefined);
    await end(pretender);
    start('collector');
    await comes('said meanwhile 19');
    const all = await collected();
    for (let at = 0; at < 20; at += 1) expect(all).toContain(`said meanwhile ${at}"`);
    expect(all).not.toContain('of another program');
  }, 120_000);
});
