import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChainFaults, findIssuerFaults } from '#simulator/testing/find-chain-faults.ts';
import { openCredentials, serverHostsOf } from './credentials.ts';

type Authority = { readonly certificateFile: string; readonly keyFile: string };

let folder: string;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'florin-trust-')), 'trust');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const open = (serverHosts = ['localhost', '127.0.0.1'], authority?: Authority) =>
  openCredentials({
    folder,
    serverHosts,
    now: Date.now(),
    ...(authority && { authority, clientKey: 'rsa' }),
  });

test('a first start creates everything, readable by its owner only', async () => {
  const { authorityPem, server } = await open();
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of names.filter((entry) => entry.isFile())) {
    const { mode } = await stat(join(file.parentPath, file.name));
    expect(mode & 0o777, file.name).toBe(0o600);
  }
  const authority = new X509Certificate(authorityPem);
  const client = new X509Certificate(await readFile(join(folder, 'transport.pem')));
  for (const certificate of [new X509Certificate(server.certificatePem), client])
    expect(findIssuerFaults(certificate, authority)).toEqual([]);
});

test('a later start uses the same, also when the address changed', async () => {
  const first = await open();
  const later = await open(['localhost', '127.0.0.1', 'bank.test', '10.1.2.3']);
  expect(later.identity).toEqual(first.identity);
  expect(later.clientSigningKey.kid).toBe(first.clientSigningKey.kid);
  expect((await later.openKey('two')).kid).toBe((await first.openKey('two')).kid);
  const certificate = new X509Certificate(later.server.certificatePem);
  expect(certificate.checkHost('bank.test')).toBe('bank.test');
  expect(certificate.checkIP('10.1.2.3')).toBe('10.1.2.3');
  expect((await open()).server).toEqual(later.server);
});

test('a given authority issues every certificate', async () => {
  const { issueAuthority } = await import('./issued-certificate.ts');
  const given = await issueAuthority('Of the suite', Date.now());
  const [certificateFile, keyFile] = [join(folder, '..', 'ca.pem'), join(folder, '..', 'key.pem')];
  await writeFile(certificateFile, given.certificatePem);
  await writeFile(keyFile, given.keyPem);
  const opened = await open(undefined, { certificateFile, keyFile });
  const authority = new X509Certificate(given.certificatePem);
  const client = new X509Certificate(await readFile(join(folder, 'transport.pem')));
  for (const certificate of [new X509Certificate(opened.server.certificatePem), client])
    expect(findIssuerFaults(certificate, authority)).toEqual([]);
  expect(client.publicKey.asymmetricKeyType).toBe('rsa');
  expect(opened.authorityPem).toBe(given.certificatePem);
});

test('the organisation id has the form of the standard, a key of a bank its certificate', async () => {
  const { identity, openKey } = await open();
  expect(identity.organisationId).toMatch(/^[0-9A-Za-z]{18}$/);
  const { publicJwk } = await openKey('one');
  expect(findChainFaults(publicJwk)).toEqual([]);
  expect(findChainFaults({ ...publicJwk, n: (await openKey('two')).publicJwk.n })).toHaveLength(1);
});

test('a first start that was killed starts again', async () => {
  const first = await open();
  await rm(join(folder, 'private', 'identity.json'));
  const second = await open();
  expect(second.identity.clientId).not.toBe(first.identity.clientId);
  const authority = new X509Certificate(second.authorityPem);
  expect(new X509Certificate(second.server.certificatePem).verify(authority.publicKey)).toBe(true);
});

test('the certificate has the loopback names and the given host', () => {
  expect(serverHostsOf('0.0.0.0', undefined)).toEqual(['localhost', '127.0.0.1']);
  expect(serverHostsOf('10.0.0.1', 'https://bank.test:4011')).toEqual([
    'localhost',
    '127.0.0.1',
    '10.0.0.1',
    'bank.test',
  ]);
});
