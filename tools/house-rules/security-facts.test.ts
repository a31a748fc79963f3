import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listSourceFiles } from './list-source-files.ts';

// What docs/security says of Florin and only its text can show.

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');
const sources = listSourceFiles(root).filter(({ path }) => !path.includes('.test.'));
const ofPages = sources.filter(({ path }) => /^web\/(?:checkout|dashboard)\/src\//.test(path));

test('a field for a password hides it and lets a password manager fill it', () => {
  const signIn = read('web/dashboard/src/sign-in/sign-in.html');
  const fields = [signIn, ...ofPages.map(({ text }) => text)].flatMap(
    (text) => text.match(/<(?:input|TextInput|PasswordInput)\b[^>]*?\/?>/gs) ?? [],
  );
  const forPasswords = fields.filter((field) => /name="\w*password"/i.test(field));
  expect(forPasswords.length).toBeGreaterThan(4);
  for (const field of forPasswords) {
    expect(field).toMatch(/^<PasswordInput\b|type="password"/);
    expect(field).toMatch(/auto[cC]omplete=(?:"(?:current|new)-password"|\{)/);
  }
  expect(ofPages.filter(({ text }) => /onPaste|'paste'/.test(text))).toEqual([]);
});

test('no source evaluates text, and no program is started by a shell or for a request', () => {
  const own = sources.filter(({ path }) => /^(?:contract|service|web)\//.test(path));
  const found = (pattern: RegExp) =>
    own.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  expect(found(/\beval\(|\bnew Function\(|\bset(?:Timeout|Interval)\(['"`]/)).toEqual([]);
  expect(found(/\bshell: (?!false)|\bexec(?:Sync)?\(['"`]|\bexecSync\b/)).toEqual([]);
  const starting = found(/'node:child_process'/).filter((path) => path.startsWith('service/'));
  expect(starting.filter((path) => !/\/(?:programs|embedded-postgres)\//.test(path))).toEqual([]);
});

test('each page says what its visitor tells other sites of it', () => {
  const drawing = sources.filter(
    ({ path, text }) =>
      path.startsWith('service/src/') && text.includes("'content-type', 'text/html"),
  );
  expect(drawing.length).toBeGreaterThan(2);
  for (const { path, text } of drawing)
    expect(text, path).toMatch(/'referrer-policy', '(?:no-referrer|same-origin)'/);
});

test('SHA-1 and MD5 stand where a format of others wants them, and nowhere else', () => {
  const own = sources.filter(({ path }) => /^(?:contract|service|web)\//.test(path));
  const weak = /create(?:Hash|Hmac)\((?!'sha(?:256|384|512)')|\bmd5\(|\bSHA-1\b(?=['"])/;
  const found = own.filter(({ text }) => weak.test(text)).map(({ path }) => path.split('/').at(-1));
  // RFC 6238, the name of a day in an index, and the public list of common passwords
  const known = ['accept-code-once.ts', 'count-words.ts', 'refuse-common-password.ts'];
  expect(found.sort()).toEqual(known);
});

test('no password ends by its age', () => {
  const [table = ''] =
    /(?<=create table person_credential \()[^;]+/.exec(read('docs/generated/schema.sql')) ?? [];
  expect(table).toContain('password_hash');
  expect(table).not.toMatch(/expire|valid_until|renew/);
});

test('no migration makes an account or a secret', () => {
  const migrations = sources.filter(({ path }) => /\/migrations\/.*\.sql$/.test(path));
  expect(migrations.length).toBeGreaterThan(10);
  const credentials =
    /insert into (?:\w+\.)?(?:person|person_credential|access_secret|operator_secret)\b/i;
  expect(migrations.filter(({ text }) => credentials.test(text)).map(({ path }) => path)).toEqual(
    [],
  );
});

test('pages keep in the browser what is listed, and nothing else', () => {
  const storing = ofPages.flatMap(({ path, text }) =>
    (text.match(/\b(?:local|session)Storage\.setItem\([^)]*\)|indexedDB/g) ?? []).map(
      (call) => `${path.split('/').at(-1)}: ${call}`,
    ),
  );
  expect(storing.sort()).toEqual([
    'embed.ts: sessionStorage.setItem(nonceKey, nonce)',
    'embed.ts: sessionStorage.setItem(statusKey, status)',
    'follow-changes.ts: sessionStorage.setItem(reloadedKey, page)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what the source says.
    'tenant.ts: localStorage.setItem(storedUnder, `${merchantId} ${environment}`)',
  ]);
});
