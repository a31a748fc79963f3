import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadOrCreateMasterKey } from './load-or-create-master-key.ts';
import { equalsSecretly, openSecrets } from './open-secrets.ts';

const context = { table: 'access_secret', row: 'r1', column: 'secret_encrypted' };
const [older, newer] = [randomBytes(32), randomBytes(32)];

describe('encryption at rest', () => {
  test('decrypts text and bytes', () => {
    const secrets = openSecrets([older]);
    expect(secrets.decryptText(secrets.encrypt('£ à la carte', context), context)).toBe(
      '£ à la carte',
    );
    const bytes = randomBytes(1000);
    expect(secrets.decrypt(secrets.encrypt(bytes, context), context)).toEqual(bytes);
    expect(secrets.decryptText(secrets.encrypt('', context), context)).toBe('');
  });

  test('never writes the same ciphertext twice, nor the plain text', () => {
    const secrets = openSecrets([older]);
    const first = secrets.encrypt('plain words', context);
    expect(first).not.toEqual(secrets.encrypt('plain words', context));
    expect(first.includes('plain words')).toBe(false);
  });

  test.each([
    { ...context, table: 'other' },
    { ...context, row: 'r2' },
    { ...context, column: 'other' },
  ])('rejects a record that was moved to %o', (elsewhere) => {
    const secrets = openSecrets([older]);
    const record = secrets.encrypt('secret', context);
    expect(() => secrets.decrypt(record, elsewhere)).toThrow();
  });

  test('rejects a record with any byte changed', () => {
    const secrets = openSecrets([older]);
    const record = secrets.encrypt('secret', context);
    for (let at = 0; at < record.length; at += 1) {
      const changed = Buffer.from(record);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => secrets.decrypt(changed, context)).toThrow();
    }
    expect(() => secrets.decrypt(record.subarray(0, 20), context)).toThrow();
  });

  test('encrypts with the first key and decrypts with older keys', () => {
    const old = openSecrets([older]).encrypt('kept', context);
    const both = openSecrets([newer, older]);
    expect(both.decryptText(old, context)).toBe('kept');
    const fresh = both.encrypt('new', context);
    expect(openSecrets([newer]).decryptText(fresh, context)).toBe('new');
    expect(() => openSecrets([older]).decrypt(fresh, context)).toThrow(/unknown master key/);
  });

  test('rejects no key, a short key and an ambiguous context', () => {
    expect(() => openSecrets([])).toThrow();
    expect(() => openSecrets([randomBytes(16)])).toThrow();
    const piped = { ...context, row: 'r1|secret' };
    expect(() => openSecrets([older]).encrypt('secret', piped)).toThrow();
  });
});

test('compares secrets of any length', () => {
  expect(equalsSecretly('same', 'same')).toBe(true);
  expect(equalsSecretly('same', 'other')).toBe(false);
  expect(equalsSecretly('same', 'sam')).toBe(false);
});

describe('the master key file', () => {
  test('is created once, readable by its owner only, also by ten programs at once', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'florin-key-')), 'data');
    const keys = await Promise.all(Array.from({ length: 10 }, () => loadOrCreateMasterKey(folder)));
    for (const key of keys) expect(key).toEqual(keys[0]);
    expect((await stat(join(folder, 'master-key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['master-key']);
    expect(await loadOrCreateMasterKey(folder)).toEqual(keys[0]);
  });

  test('is never replaced when it is damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-key-'));
    await writeFile(join(folder, 'master-key'), 'short');
    await expect(loadOrCreateMasterKey(folder)).rejects.toThrow(/32 bytes/);
  });
});
