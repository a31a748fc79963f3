import type { Unknown } from '#rails/bank-rail.ts';

export const unknown = (description: string): Unknown => ({ kind: 'UNKNOWN', description });

export const unanswered = (why: string): Unknown =>
  unknown(`No answer from the card processor (${why}).`);

export const notOurs: Unknown = unknown('The card processor answers about another payment.');
