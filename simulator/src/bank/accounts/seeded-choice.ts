import { createHash } from 'node:crypto';

export type Chance = {
  // A whole number from `from` to `to`, both included.
  between(from: number, to: number): number;
  pick<Value>(list: readonly Value[]): Value;
  happens(percent: number): boolean;
};

// The same words always make the same choices, in the same order.
export const seededChoice = (...words: readonly string[]): Chance => {
  let state = createHash('sha256').update(words.join('\n')).digest().readUInt32BE(0);
  // mulberry32: small, fast, and random enough for a statement.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    between,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    happens: (percent) => next() * 100 < percent,
  };
};
