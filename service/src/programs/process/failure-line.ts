import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';

/** The last words of a program that fails. */
export const failureLine = (error: unknown): string =>
  `${maskCardNumbers(error instanceof Error ? error.message : String(error))}\n`;
