import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Answer = (error: Error | null, key: Buffer) => void;
type Derive = typeof crypto.scrypt & { atFullCost?: boolean };

const { scrypt } = crypto;

/** The product's cost alone is made cheaper: a digest of another cost is derived as it says. */
const deriveCheaply: Derive = ((
  password: string,
  salt: string,
  keyBytes: number,
  cost: ScryptOptions,
  answer: Answer,
) => {
  const isDear = (cost.N ?? 0) > 2 ** 14 && !deriveCheaply.atFullCost;
  scrypt(password, salt, keyBytes, isDear ? { ...cost, N: 32, p: 1 } : cost, answer);
}) as typeof scrypt;

/**
 * In the tests' own process a password is hashed at a thousandth of its cost: at the product's, 150 ms of a
 * core each, `sign-in.test.ts` alone took 38 s of CPU.
 */
export const hashCheaply = (): void => {
  if ('atFullCost' in crypto.scrypt) return;
  deriveCheaply.atFullCost = false;
  crypto.scrypt = deriveCheaply;
  syncBuiltinESMExports();
};

/** As the product does it; for the test of the digest itself. */
export const hashAtFullCost = async (run: () => Promise<void>): Promise<void> => {
  const derive: Derive = crypto.scrypt;
  derive.atFullCost = true;
  try {
    await run();
  } finally {
    derive.atFullCost = false;
  }
};
