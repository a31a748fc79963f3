import { describe, expect, test } from 'vitest';
import { randomIds } from '../clock.ts';
import { readConfig } from '../config.ts';
import { silentLog } from '../log.ts';
import { openHttpServer } from './open-http-server.ts';

const open = (settings: Readonly<Record<string, string>>) => {
  const app = openHttpServer({ ids: randomIds(), log: silentLog, config: readConfig(settings) });
  app.get('/address', async (request) => request.ip);
  return (headers: Record<string, string> = {}, remoteAddress = '10.0.0.5', url = '/address') =>
    app.inject({ url, headers, remoteAddress });
};
const through = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };

describe("a caller's address", () => {
  test('is the connecting address, whatever its headers say', async () => {
    expect((await open({})(through)).body).toBe('10.0.0.5');
  });

  test('is the address before the trusted proxies', async () => {
    const call = open({ TRUSTED_PROXIES: '10.0.0.0/8, 198.51.100.7' });
    expect((await call(through)).body).toBe('203.0.113.9');
    expect((await call({ 'x-forwarded-for': '203.0.113.9, 192.0.2.1' })).body).toBe('192.0.2.1');
    expect((await call(through, '192.0.2.50')).body).toBe('192.0.2.50');
  });
});

describe('strict transport security', () => {
  test('is sent when customers reach the server by https, with every answer', async () => {
    const call = open({ PUBLIC_URL: 'https://pay.example.com' });
    for (const path of ['/address', '/none', '/%zz', '/address?q=%00']) {
      const { headers } = await call({}, '10.0.0.5', path);
      expect(headers['strict-transport-security'], path).toBe('max-age=31536000');
    }
  });

  test('holds for subdomains where the setting says so', async () => {
    const settings = { PUBLIC_URL: 'https://pay.example.com', STRICT_TRANSPORT_SUBDOMAINS: 'on' };
    const { headers } = await open(settings)();
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  test('is not sent otherwise', async () => {
    expect((await open({})()).headers).not.toHaveProperty('strict-transport-security');
    const plain = await open({ PUBLIC_URL: 'http://pay.example.com' })();
    expect(plain.headers).not.toHaveProperty('strict-transport-security');
  });
});
