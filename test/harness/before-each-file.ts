import fc from 'fast-check';
import { hashCheaply } from './cheap-passwords.ts';

/**
 * A short run draws the same values each time: a red run is a fault of the change, and is the same again.
 * A long run draws values that no run has drawn; its failure prints the seed, for DRAW_SEED.
 */
const seed = Number(process.env.DRAW_SEED ?? (process.env.TEST_LONG === '1' ? Date.now() | 0 : 1));
fc.configureGlobal({ seed });

hashCheaply();
