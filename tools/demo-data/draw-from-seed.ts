export type Draw = {
  /** From 0 to less than 1. */
  readonly share: () => number;
  readonly isOneIn: (times: number) => boolean;
  /** Both ends included. */
  readonly whole: (from: number, to: number) => number;
  readonly oneOf: <Item>(items: readonly Item[]) => Item;
  readonly weighed: <Name extends string>(weights: Readonly<Record<Name, number>>) => Name;
};

/** The same seed draws the same, on every machine: mulberry32 over a hash of the seed. */
export const drawFromSeed = (seed: string): Draw => {
  let state = hash(seed);
  const share = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (from: number, to: number) => from + Math.floor(share() * (to - from + 1));
  return {
    share,
    isOneIn: (times) => share() * times < 1,
    whole,
    oneOf: (items) => itemAt(items, whole(0, items.length - 1)),
    weighed: (weights) => weighed(weights, share()),
  };
};

const itemAt = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
};

const hash = (text: string): number => {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return value;
};

const weighed = <Name extends string>(
  weights: Readonly<Record<Name, number>>,
  share: number,
): Name => {
  const entries = Object.entries(weights) as [Name, number][];
  let left = share * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    if (left < weight) return name;
    left -= weight;
  }
  throw new Error('no weight is above nothing');
};
