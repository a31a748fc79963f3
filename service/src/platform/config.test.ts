import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collectingAccounts, describeSettings, peopleUrl, readConfig } from './config.ts';

const key = Buffer.alloc(32, 7).toString('base64');

test('a database whose certificate is not checked is refused, where it has to be', () => {
  const read = (name: string, url: string) =>
    readConfig({ DATABASE_TLS: 'verified', [name]: `postgresql://florin@db/florin${url}` });
  for (const name of ['DATABASE_URL', 'DATABASE_READ_URL']) {
    expect(read(name, '?sslmode=verify-full&sslrootcert=/ca.pem').databaseTls).toBe('verified');
    for (const without of [
      '',
      '?sslmode=require',
      '?a=sslmode=verify-full',
      '?sslmode=verify-fully',
    ])
      expect(() => read(name, without)).toThrow(`${name} must say sslmode=verify-full`);
  }
  expect(readConfig({ DATABASE_TLS: 'verified' }).databaseUrl).toBe(null);
});

describe('settings', () => {
  test('have working defaults', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: null,
      databaseUrl: null,
      dataFolder: '.florin',
      masterKeys: null,
      logLevel: 'info',
      limitsRate: null,
      operatorName: 'Florin',
      webhookAllowedNetworks: [],
      webhookHosts: [],
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(collectingAccounts(config).map(({ environment }) => environment)).toEqual(['SANDBOX']);
  });

  test('are read from the environment; an empty one is unset', () => {
    const config = readConfig({
      PORT: '0',
      HOST: ' ',
      PUBLIC_URL: 'https://pay.example.com/',
      FLORIN_MASTER_KEY: `${key}, ${Buffer.alloc(32, 8).toString('base64')}`,
      RATE_LIMITS: 'on',
      TRUSTED_PROXIES: '127.0.0.1, ::1,10.0.0.0/8',
      WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8, fd00::/8',
      WEBHOOK_HOSTS: 'shop.example, *.Till.example',
      PRODUCTION_COLLECTING_ACCOUNT: '20-00-00 55779911 Pay Operator Ltd',
    });
    expect(config.port).toBe(0);
    expect(config.host).toBe('127.0.0.1');
    expect(config.publicUrl).toBe('https://pay.example.com');
    expect(config.masterKeys?.map((each) => each[0])).toEqual([7, 8]);
    expect(config.limitsRate).toBe(true);
    expect(config.trustedProxies).toEqual(['127.0.0.1', '::1', '10.0.0.0/8']);
    expect(config.webhookAllowedNetworks).toEqual(['10.0.0.0/8', 'fd00::/8']);
    expect(config.webhookHosts).toEqual(['shop.example', '*.till.example']);
    expect(config.productionCollectingAccount).toEqual({
      sortCode: '200000',
      accountNumber: '55779911',
      name: 'Pay Operator Ltd',
    });
  });

  test.each([
    ['WEBHOOK_HOSTS', 'https://shop.example'],
    ['DASHBOARD_URL', 'https://people.example.com/dashboard'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', 'http'],
    ['PUBLIC_URL', 'pay.example.com'],
    ['PUBLIC_URL', 'ftp://pay.example.com'],
    ['PUBLIC_URL', 'https://pay.example.com/?a=b'],
    ['DATABASE_URL', 'mysql://localhost/florin'],
    ['FLORIN_MASTER_KEY', 'c2hvcnQ='],
    ['FLORIN_MASTER_KEY', `${key},`],
    ['LOG_LEVEL', 'loud'],
    ['LOG_LEVEL', 'constructor'],
    ['RATE_LIMITS', 'true'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_PORT', '0'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0'],
    ['WEBHOOK_ALLOW_CIDRS', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW_CIDRS', 'localhost/8'],
    ['PRODUCTION_COLLECTING_ACCOUNT', '200000 5577991 Short'],
    ['PRODUCTION_COLLECTING_ACCOUNT', '200000 55779911'],
    ['SMTP_URL', 'mail.example.com'],
    ['OPERATOR_NAME', 'x'.repeat(101)],
  ])('%s=%s is rejected in one sentence that names the setting, not the value', (name, value) => {
    let message = '';
    try {
      readConfig({ [name]: value });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(new RegExp(`^${name} must be [^\n]+\\.$`));
    expect(message).not.toContain(key);
  });

  test('a dashboard on a host of its own needs the address of payers', () => {
    const people = { DASHBOARD_URL: 'https://people.example.com' };
    expect(() => readConfig(people)).toThrow('DASHBOARD_URL needs PUBLIC_URL');
    const both = readConfig({ ...people, PUBLIC_URL: 'https://pay.example.com' });
    expect([peopleUrl(both), peopleUrl(readConfig({}))]).toEqual([people.DASHBOARD_URL, null]);
  });

  test('a secret may stand in a file, which is named where it cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-settings-'));
    const file = join(folder, 'master-key');
    await writeFile(file, `${key}\n`);
    try {
      expect(readConfig({ FLORIN_MASTER_KEY_FILE: file }).masterKeys?.[0]?.[0]).toBe(7);
      expect(() => readConfig({ FLORIN_MASTER_KEY_FILE: file, FLORIN_MASTER_KEY: key })).toThrow(
        'Only one of FLORIN_MASTER_KEY and FLORIN_MASTER_KEY_FILE can be set.',
      );
      expect(() => readConfig({ SMTP_URL_FILE: join(folder, 'none') })).toThrow(
        'SMTP_URL_FILE must be the path of a file that can be read (ENOENT).',
      );
      // What is no secret has no such form.
      expect(readConfig({ HOST_FILE: file }).host).toBe('127.0.0.1');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('are each described once, with valid defaults', () => {
    const described = describeSettings();
    expect(new Set(described.map(({ name }) => name)).size).toBe(described.length);
    for (const { name, meaning, default: preset } of described) {
      expect(meaning).toMatch(/^.{10,}\.$/s);
      if (preset) expect(() => readConfig({ [name]: preset })).not.toThrow();
    }
  });
});
