import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { describeSettings } from '../../service/src/platform/config.ts';
import { knownBanks } from '../../service/src/rails/open-banking-uk/settings/known-banks.ts';
import { programs } from './compile-release.ts';

const folder = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (name: string): Promise<string> => readFile(`${folder}${name}`, 'utf8');
const known = describeSettings().flatMap(({ name, isSecret }) => [
  name,
  ...(isSecret ? [`${name}_FILE`] : []),
]);
const ofServers = ['etcd', 'haproxy.cfg', 'patroni.yml', 'patroni_env.conf', 'haproxy-cells.cfg'];
const units = ['florin-api@.service', 'florin-worker@.service'];
const collector = 'florin-rsyslog.conf';

/** Longer than a program takes: five seconds of notice and a minute. */
const leastStopSeconds = 66;

describe('what a release is run with', () => {
  test.each(units)('%s starts a program of it, with settings that there are', async (name) => {
    const text = await read(`systemd/${name}`);
    const [, program = ''] = /^ExecStart=\S+ \S+ \S+florin\.mjs (\S+)$/m.exec(text) ?? [];
    expect(Object.keys(programs)).toContain(program);
    const settings = [...text.matchAll(/^Environment=(\w+)=/gm)].map(([, setting]) => setting);
    expect(known).toEqual(expect.arrayContaining(settings));
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(leastStopSeconds);
    for (const protection of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'UMask=0077'])
      expect(text).toContain(`\n${protection}\n`);
    expect(text).toMatch(/^CapabilityBoundingSet=$/m);
    // unit-calls.long.test.ts compares with what the programs call.
    expect(text).toContain('\nSystemCallFilter=@system-service @pkey\n');
    expect(text).toContain('\nSystemCallErrorNumber=EPERM\n');
    expect(text).not.toMatch(/^User=root$/m);
  });

  test('the compose file starts programs of it, and names each secret that it uses', async () => {
    const text = await read('compose.yaml');
    const commands = [...text.matchAll(/command: \[(\S+)\]/g)].map(([, command]) => command);
    expect(commands).toEqual(['migrate', 'api', 'worker']);
    expect(Object.keys(programs)).toEqual(expect.arrayContaining(commands));
    const used = [...text.matchAll(/\/run\/secrets\/([\w-]+)/g)].map(([, secret]) => secret);
    const made = [...text.matchAll(/^ {2}([\w-]+): \{ file: /gm)].map(([, secret]) => secret);
    expect(new Set(used)).toEqual(new Set(made));
    const settings = [...text.matchAll(/\b([A-Z][A-Z_]+): /g)].map(([, setting = '']) => setting);
    const ours = settings.filter((setting) => !setting.startsWith('POSTGRES_'));
    expect(ours.length).toBeGreaterThan(5);
    expect(ours.filter((setting) => !known.includes(setting))).toEqual([]);
    expect(Number(/stop_grace_period: (\d+)s/.exec(text)?.[1])).toBeGreaterThan(leastStopSeconds);
  });

  test('the container runs as nobody in particular, with settings that there are', async () => {
    const text = await read('Containerfile');
    const [, line = ''] = /^ENV (.*)$/m.exec(text) ?? [];
    const settings = [...line.matchAll(/(\w+)=/g)].map(([, setting]) => setting);
    expect(settings.filter((each) => each !== 'NODE_ENV' && !known.includes(each ?? ''))).toEqual(
      [],
    );
    expect(text).toMatch(/^USER \d{5}:\d{5}$/m);
    expect(text).toMatch(/^FROM docker\.io\/library\/node:20-/m);
  });

  // rsyslog's is tried with a real one in `test/crash/collect-logs.long.test.ts`, where it is installed.
  test('what units say goes to another machine by TLS, under the names that units have', async () => {
    const text = await read(`systemd/${collector}`);
    const [, prefix = ''] = /\$programname startswith "(\S+)"/.exec(text) ?? [];
    for (const name of units)
      expect(await read(`systemd/${name}`)).toContain(`\nSyslogIdentifier=${prefix}`);
    expect(prefix).toBe('florin-');
    for (const setting of ['tls="on"', 'tls.authMode="name"', 'queue.filename="florin"'])
      expect(text).toContain(setting);
  });

  // HAProxy's is tried with real connections in `test/crash/proxy-tls.long.test.ts`, where it is installed.
  test('the files of proxies lead people from http to https, and refuse programs', async () => {
    const haproxy = await read('high-availability/haproxy-cells.cfg');
    expect(haproxy).toMatch(
      /bind :80\n {4}http-request deny deny_status 403 if \{ path_beg -i \/api \}/,
    );
    expect(haproxy).toContain('redirect scheme https code 308');
    expect(haproxy).toContain('ssl-min-ver TLSv1.2');
    const caddy = await read('Caddyfile');
    expect(caddy).toMatch(
      /^http:\/\/pay\.example\.com \{[^}]*respond @programs 403[^}]*redir https:/m,
    );
  });

  // Caddy asks a public authority for each name, unless a line says `tls` or an option another issuer.
  test('the shipped proxy of one machine has a certificate that everybody trusts', async () => {
    const caddy = await read('Caddyfile');
    expect(caddy).toMatch(/^[a-z.]+\.example\.com \{$/m);
    expect(caddy).not.toMatch(/^\s*tls\b|local_certs|skip_install_trust|auto_https|cert_issuer/m);
  });

  test('the example of a bank file names every known brand', async () => {
    const { banks } = JSON.parse(await read('banks.example.json'));
    const ids = banks.map(({ id }: { readonly id: string }) => id);
    expect(ids).toEqual(knownBanks().map(({ id }) => id));
  });

  // What they do together: test/crash/patroni.long.test.ts.
  test('the files of three database servers name the same ones, and wait for a standby', async () => {
    const servers = /10\.0\.0\.1\d/g;
    for (const name of ofServers.slice(0, 3)) {
      const named = (await read(`high-availability/${name}`)).match(servers);
      expect([...new Set(named)], name).toEqual(['10.0.0.11', '10.0.0.12', '10.0.0.13']);
    }
    const own = (await read('high-availability/patroni_env.conf')).match(servers);
    expect([...new Set(own)]).toEqual(['10.0.0.11']);
    const patroni = await read('high-availability/patroni.yml');
    expect(patroni).toMatch(/^ {4}synchronous_mode: true\n {4}synchronous_mode_strict: true$/m);
    expect(patroni).not.toMatch(/synchronous_commit|password:/);
  });

  test('what leads to several cells knows each by the map, and the others by the first', async () => {
    const text = await read('high-availability/haproxy-cells.cfg');
    const looked = [...text.matchAll(/map_str\((\S+?)\)/g)].map(([, file]) => file);
    expect(new Set(looked)).toEqual(new Set(['/etc/haproxy/cells.map']));
    const backends = [...text.matchAll(/^backend (\S+)$/gm)].map(([, name]) => name);
    expect(backends).toContain(/^ {4}default_backend (\S+)$/m.exec(text)?.[1]);
    expect(backends.length).toBeGreaterThan(1);
  });

  test('no other file is shipped unread', async () => {
    const files = await readdir(folder, { recursive: true });
    const named = [
      ...['systemd', ...[...units, collector].map((name) => `systemd/${name}`)],
      ...['high-availability', ...ofServers.map((name) => `high-availability/${name}`)],
      ...['Caddyfile', 'Containerfile', 'banks.example.json', 'compose.yaml'],
    ];
    expect(files.sort()).toEqual(named.sort());
  });
});
