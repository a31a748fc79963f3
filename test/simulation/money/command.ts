import fc from 'fast-check';
import { expect } from 'vitest';
import { settle } from './bank-steps.ts';
import { countDraw } from './count-draw.ts';
import { findDifferences } from './find-differences.ts';
import type { Model } from './model.ts';
import type { Money, Weather } from './open-money.ts';

export type Command = fc.AsyncCommand<Model, Money>;

/** The product and the model do the same, come to rest, and say the same; no invariant is broken. */
export const command = (
  name: string,
  run: (model: Model, money: Money) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command => ({
  check,
  run: async (model, money) => {
    const before = standingOf(model, money);
    await run(model, money);
    await settle(model, money);
    expect(await findDifferences(model, money), name).toEqual([]);
    if (money.provesEach) expect(await money.findBrokenInvariants(), name).toEqual([]);
    countDraw(name, standingOf(model, money) !== before);
  },
  toString: () => name,
});

/** All that a command may have changed. */
const standingOf = (model: Model, { bank, hub, processor }: Money): string =>
  text([
    model,
    bank.payments.map(({ endToEndId, reached }) => `${endToEndId} ${reached}`),
    hub.quarantined(),
    hub.transfers,
    [...processor.payments.values()],
  ]);

export const weather: fc.Arbitrary<Weather> = fc.record({
  seed: fc.nat(1_000_000),
  kill: fc.constantFrom(0, 0, 0, 0.02, 0.08),
  fault: fc.constantFrom(0, 0, 0, 0.05, 0.25),
});

/** Where most have to succeed, so that there is money to decide over. */
export const mostlyCalm: fc.Arbitrary<Weather> = fc.oneof(
  { weight: 3, arbitrary: fc.nat(1_000_000).map((seed) => ({ seed, kill: 0, fault: 0 })) },
  { weight: 1, arbitrary: weather },
);

export const at = <Item>(items: readonly Item[], position: number): Item | undefined =>
  items[position % Math.max(items.length, 1)];

export const text = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
