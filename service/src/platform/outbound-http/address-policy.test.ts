import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressPolicy, literalAddress, loopbackNetworks } from './guarded-connector.ts';
import { openOutboundHttp } from './open-outbound-http.ts';

/** Ways to write an address that must not be reached. */
const closedHosts = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f.0.0.1', '0x7f000001', '0177.0.0.1'],
  ...['017700000001', '127.0.0.1.', '127.255.255.254', '0.0.0.0', '0', '10.1.2.3', '172.16.0.1'],
  ...[
    '172.31.255.255',
    '192.168.1.1',
    '168.63.129.16',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
  ],
  ...['100.64.0.1', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255', '[::1]', '[::]'],
  ...['[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]'],
  ...['[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[2002:7f00:1::]'],
  ...['[2001:0:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[3fff::1]'],
];

const openHosts = ['8.8.8.8', '134744072', '1.1.1.1', '172.32.0.1', '[2606:4700::1111]'];

const hostOf = (written: string): string => new URL(`http://${written}/`).hostname;

describe('the address policy', () => {
  const allows = addressPolicy([]);

  test('is tried with 41 spellings', () => expect(new Set(closedHosts).size).toBe(41));

  test.each(closedHosts)('rejects %s', (written) => {
    const address = literalAddress(hostOf(written).replace(/\.$/, ''));
    expect(address).not.toBeNull();
    expect(allows(address ?? '')).toBe(false);
  });

  test.each(openHosts)('accepts %s', (written) =>
    expect(allows(literalAddress(hostOf(written)) ?? '')).toBe(true),
  );

  test('checks an IPv4 address inside an IPv6 one like the address itself', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(allows(`::ffff:${address}`)).toBe(allows(address));
      }),
    );
  });

  test('rejects invalid addresses, and opens only the named networks', () => {
    expect(allows('localhost')).toBe(false);
    expect(allows('')).toBe(false);
    const own = addressPolicy(['10.1.0.0/16', 'fd00:1::/32']);
    expect(['10.1.2.3', 'fd00:1::5', '::ffff:10.1.2.3'].every(own)).toBe(true);
    expect(['10.2.0.1', 'fd00:2::5', '127.0.0.1'].some(own)).toBe(false);
  });
});

describe('a connection', () => {
  let hits = 0;
  let connections = 0;
  const server = createServer((_, reply) => {
    hits += 1;
    reply.end('ok');
  });
  server.on('connection', () => {
    connections += 1;
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const post = async (
    host: string,
    allowedNetworks: readonly string[],
    resolve?: (name: string) => Promise<readonly string[]>,
    allowedHosts: readonly string[] = [],
  ) => {
    const http = openOutboundHttp({
      ...{ allowedNetworks, allowedHosts },
      ...(resolve ? { resolve } : {}),
    });
    const url = new URL(`http://${host}:${port}/`);
    const limits = { timeoutMs: 3_000, responseBytes: 100 };
    const answer = await http.post({ url, headers: {}, body: '{}', ...limits });
    await http.close();
    return answer.kind === 'ANSWERED' ? answer.status : answer.errorClass;
  };

  test('to this machine is refused in every spelling', async () => {
    const local = closedHosts.filter((host) => /^(127|0|2130706433|\[::|\[0:)/.test(host));
    for (const host of [...local, 'localhost', 'a.localhost', 'localhost.'])
      expect([host, await post(host, [])]).toEqual([host, 'BLOCKED']);
    expect([hits, connections]).toEqual([0, 0]);
  });

  test('reaches an allowed address', async () => {
    expect(await post('127.0.0.1', loopbackNetworks)).toBe(200);
    expect(await post('localhost', ['127.0.0.1/32'])).toBe(200);
    expect(hits).toBe(2);
  });

  test('is refused when one of several addresses is not allowed', async () => {
    const before = connections;
    for (const answers of [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
    ])
      expect(await post('mixed.test', [], async () => answers)).toBe('BLOCKED');
    expect(connections).toBe(before);
  });

  test('is refused when the name resolves differently after the check', async () => {
    let lookups = 0;
    const rebinding = async () => {
      lookups += 1;
      return lookups === 1 ? ['8.8.8.8'] : ['127.0.0.1'];
    };
    expect(await post('rebind.test', [], rebinding)).toBe('BLOCKED');
    expect(hits).toBe(2);
  });

  test('goes to a listed host alone, where the operator lists some', async () => {
    const listed = ['shop.test', '*.till.test'];
    const here = async () => ['127.0.0.1'];
    const before = connections;
    for (const host of [
      'other.test',
      'till.test',
      'atill.test',
      'shop.test.evil.test',
      '127.0.0.1',
    ])
      expect([host, await post(host, loopbackNetworks, here, listed)]).toEqual([host, 'BLOCKED']);
    expect(connections).toBe(before);
    for (const host of ['shop.test', 'Shop.Test', 'one.till.test', 'a.b.till.test'])
      expect([host, await post(host, loopbackNetworks, here, listed)]).toEqual([host, 200]);
  });

  test('to an unknown name fails as DNS', async () => {
    const unknown = () =>
      Promise.reject(Object.assign(new Error('no'), { name: 'HostNotResolved' }));
    expect(await post('nowhere.test', [], unknown)).toBe('DNS');
  });
});
