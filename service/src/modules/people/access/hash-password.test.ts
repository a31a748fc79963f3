import { expect, test } from 'vitest';
import { hashAtFullCost } from '../../../../../test/harness/cheap-passwords.ts';
import { hashPassword, isPassword } from './hash-password.ts';

const password = 'correct horse battery';

test('a digest is dear to guess, says what it cost, and is another each time', async () => {
  await hashAtFullCost(async () => {
    const [one, other] = [await hashPassword(password), await hashPassword(password)];
    const [kind, N, r, p, salt, key] = one.split(':');
    expect([kind, Number(r)]).toEqual(['scrypt', 8]);
    expect(Number(N)).toBeGreaterThanOrEqual(2 ** 15);
    expect(Number(p)).toBeGreaterThanOrEqual(3);
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(key).toMatch(/^[0-9a-f]{128}$/);
    expect(other).not.toBe(one);
    expect(await isPassword(password, one)).toBe(true);
    expect(await isPassword(`${password} `, one)).toBe(false);
  });
});

test('a digest of another cost is verified by what it says', async () => {
  const cheaper =
    'scrypt:1024:8:1:00112233445566778899aabbccddeeff:' +
    'f3e91b0eaa84b59e9f4b9d725907c7c6cb83ffb3c06434041fb1d865c816df5d' +
    '109bd6764019957bc8b1225944b1f0011b52785135639fbb629e505b23be8950';
  expect(await isPassword(password, cheaper)).toBe(true);
  expect(await isPassword('another', cheaper)).toBe(false);
});
