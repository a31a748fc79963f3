import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);
const keyBytes = 64;
const saltBytes = 16;

type Cost = { readonly N: number; readonly r: number; readonly p: number };

// 32 MB and about 150 ms of a core for each guess: the least that ASVS 5.0 approves of.
const cost: Cost = { N: 32_768, r: 8, p: 3 };

/**
 * As `scrypt:N:r:p:salt:key`. It says what it cost, so that a dearer one can follow. Like another
 * one: by what that says, to be compared with it.
 */
export const hashPassword = async (password: string, like?: string): Promise<string> => {
  const [, N = cost.N, r = cost.r, p = cost.p, salt = randomBytes(saltBytes).toString('hex')] =
    like?.split(':') ?? [];
  const key = await keyOf(password, salt, { N: Number(N), r: Number(r), p: Number(p) });
  return ['scrypt', N, r, p, salt, key.toString('hex')].join(':');
};

export const isPassword = async (password: string, hash: string): Promise<boolean> => {
  const [expected, given] = [Buffer.from(hash), Buffer.from(await hashPassword(password, hash))];
  return expected.length === given.length && timingSafeEqual(expected, given);
};

const keyOf = (password: string, salt: string, { N, r, p }: Cost): Promise<Buffer> =>
  derive(password, salt, keyBytes, { N, r, p, maxmem: 128 * N * r * 2 });
