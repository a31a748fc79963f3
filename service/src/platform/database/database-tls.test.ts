import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocketOptions } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  issueAuthority,
  issueServerCertificate,
  issueTransportCertificate,
} from '../../../../simulator/src/trust/issued-certificate.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/database/open-test-database.ts';
import { openTlsProxy } from '../../../../test/harness/database/open-tls-proxy.ts';
import { silentLog } from '../log.ts';
import { openDatabase } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

const one = statement<object, { readonly one: number }>('test_tls_one', sql()`select 1 as one`);

let database: TestDatabase;
let folder: string;
let authorityFile: string;
let strangerFile: string;
let keyPair: TLSSocketOptions;
let authority: Awaited<ReturnType<typeof issueAuthority>>;
let stranger: typeof authority;
beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'florin-tls-'));
  [authority, stranger] = await Promise.all([
    issueAuthority('Ours', Date.now()),
    issueAuthority('Another', Date.now()),
  ]);
  [authorityFile, strangerFile] = [join(folder, 'ours.pem'), join(folder, 'another.pem')];
  await writeFile(authorityFile, authority.certificatePem);
  await writeFile(strangerFile, stranger.certificatePem);
  const issued = await issueServerCertificate(authority, ['localhost'], Date.now());
  keyPair = { cert: issued.certificatePem, key: issued.keyPem };
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** What a program learns that connects so, and how many connections reached PostgreSQL. */
const connect = async (host: string, authority: string, more: TLSSocketOptions = {}) => {
  const proxy = await openTlsProxy(database.url, { ...keyPair, ...more });
  const opened = openDatabase(
    {
      ...{ tenantConnections: 1, systemConnections: 1, applicationName: 'tls' },
      connectionString: proxy.urlFor(host, authority),
    },
    silentLog,
  );
  const answer = await opened.system(one, {}).then(
    ([row]) => row?.one,
    (error: Error) => String(error.cause instanceof Error ? error.cause.message : error.message),
  );
  const passedOn = proxy.passedOn();
  await opened.close();
  proxy.close();
  return { answer, passedOn };
};

test('the database is reached by TLS, with a certificate of its name and of our authority', async () => {
  expect(await connect('localhost', authorityFile)).toEqual({ answer: 1, passedOn: 1 });
  const byAnother = await connect('localhost', strangerFile);
  expect(byAnother.answer).toMatch(/certificate/);
  const ofAnother = await connect('127.0.0.1', authorityFile);
  expect(ofAnother.answer).toMatch(/does not match|altnames/);
});

test('TLS before 1.2 is refused', async () => {
  const old = {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  } as const;
  const { answer, passedOn } = await connect('localhost', authorityFile, old);
  expect([passedOn, answer]).toEqual([0, expect.stringMatching(/protocol|version/)]);
});

test('a program shows a certificate for a password, and a renewed one without a restart', async () => {
  const asks = { requestCert: true, rejectUnauthorized: true, ca: authority.certificatePem };
  const proxy = await openTlsProxy(database.url, { ...keyPair, ...asks });
  const [certificate, key] = [join(folder, 'program.pem'), join(folder, 'program.key')];
  const issueFrom = async (issuer: typeof authority): Promise<void> => {
    const party = { softwareStatementId: 'florin_program', organisationId: 'florin' };
    const issued = await issueTransportCertificate(issuer, party, Date.now());
    await writeFile(certificate, issued.certificatePem);
    await writeFile(key, issued.keyPem);
  };
  await issueFrom(stranger);
  const without = proxy.urlFor('localhost', authorityFile);
  const open = (connectionString: string) =>
    openDatabase(
      {
        ...{ tenantConnections: 1, systemConnections: 1, applicationName: 'tls' },
        connectionString,
      },
      silentLog,
    );
  const [bare, shown] = [open(without), open(`${without}&sslcert=${certificate}&sslkey=${key}`)];
  await expect(bare.system(one, {})).rejects.toThrow();
  await expect(shown.system(one, {})).rejects.toThrow();
  expect(proxy.passedOn()).toBe(0);
  await issueFrom(authority);
  expect(await shown.system(one, {})).toEqual([{ one: 1 }]);
  expect(proxy.passedOn()).toBe(1);
  await Promise.all([bare.close(), shown.close()]);
  proxy.close();
});
