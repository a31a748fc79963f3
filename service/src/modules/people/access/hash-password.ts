import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
const keyBytes = 64;
const saltBytes = 16;
// 32 MB and about 50 ms of a core for each guess.
const cost: ScryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };

/** As `salt:key` in hex: scrypt, as the sign-in library stores it. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(saltBytes).toString('hex');
  return `${salt}:${(await keyOf(password, salt)).toString('hex')}`;
};

export const isPassword = async (password: string, hash: string): Promise<boolean> => {
  const [salt = '', key = ''] = hash.split(':');
  const expected = Buffer.from(key, 'hex');
  const given = await keyOf(password, salt);
  return expected.length === given.length && timingSafeEqual(expected, given);
};

const keyOf = (password: string, salt: string): Promise<Buffer> =>
  derive(password.normalize('NFKC'), salt, keyBytes, cost);
