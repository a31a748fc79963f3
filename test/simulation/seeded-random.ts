import type { Ids } from '../../service/src/platform/clock.ts';

export type Random = {
  /** From 0 up to, not including, `below`. */
  readonly below: (below: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Value>(values: readonly Value[]) => Value;
};

/** The same numbers for the same seed (mulberry32). */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
  };
};

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

export const seededIds = (random: Random): Ids => {
  const bytes = (count: number): Buffer =>
    Buffer.from(Array.from({ length: count }, () => random.below(256)));
  return {
    bytes,
    token: (bits) =>
      Array.from({ length: Math.ceil(bits / 5) }, () => letters[random.below(32)]).join(''),
    uuid: () => {
      const hex = bytes(16).toString('hex');
      return [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `a${hex.slice(17, 20)}`,
        hex.slice(20),
      ].join('-');
    },
  };
};
