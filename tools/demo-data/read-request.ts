import { parseArgs } from 'node:util';

export type Request = {
  readonly seed: string;
  readonly days: number;
  readonly paymentsADay: number;
};

const use = `npm run demo-data -- [--seed <word>] [--days <1-400>] [--payments-a-day <1-200>]`;

const defaults = { days: 365, paymentsADay: 2 };

/** What the command line asks for; without a seed one that is drawn. */
export const readRequest = (words: readonly string[], drawn: () => string): Request => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seed: { type: 'string' },
      days: { type: 'string' },
      'payments-a-day': { type: 'string' },
    },
  });
  return {
    seed: seedOf(values.seed ?? drawn()),
    days: whole('days', values.days, defaults.days, 400),
    paymentsADay: whole('payments-a-day', values['payments-a-day'], defaults.paymentsADay, 200),
  };
};

/** It stands in Idempotency-Keys. */
const seedOf = (text: string): string => {
  if (/^[\w-]{1,40}$/.test(text)) return text;
  throw new Error(`--seed must be 1 to 40 letters, digits, - or _. Use: ${use}`);
};

const whole = (name: string, text: string | undefined, otherwise: number, max: number): number => {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw new Error(`--${name} must be a whole number from 1 to ${max}. Use: ${use}`);
};
