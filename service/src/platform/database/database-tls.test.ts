import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocketOptions } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  issueAuthority,
  issueServerCertificate,
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
beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'florin-tls-'));
  const [authority, stranger] = await Promise.all([
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
