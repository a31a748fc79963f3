import { limits } from './limits.ts';

/** A keyword of a schema: numbers that are accepted, and that the sandbox warns of (WIRE-21). */
export type Unusual = {
  readonly below?: number;
  /** Whole numbers from this one: probably another unit was meant. */
  readonly wholeFrom?: number;
  /** What the number means, in ASCII, after the name of the member. */
  readonly words: (value: number) => string;
};

export const unusualLife: Unusual = {
  below: limits.warnedExpiresInMs,
  words: (value) => `is in milliseconds: this link lives ${value / 1000} s`,
};

export const unusualAmount: Unusual = {
  wholeFrom: limits.warnedAmountPounds,
  words: (value) => `is in pounds: this requests ${pounds(value)}`,
};

export const unusualAdvance: Unusual = {
  below: limits.warnedAdvanceMs,
  words: (value) => `is in milliseconds: this moves the clock by ${value / 1000} s`,
};

const pounds = (value: number): string =>
  value.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
