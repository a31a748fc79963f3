import type { CardInitiator } from '#rails/card-rail.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The usual limits of schemes when the processor gives none: by scheme, then by initiator. */
const lifetimesMs = new Map<string, Readonly<Record<CardInitiator, number>>>([
  ['VISA', { CUSTOMER: 7 * dayMs, MERCHANT: 4 * dayMs + 18 * hourMs }],
]);

const usualMs = 7 * dayMs;

export const estimateExpiry = (brand: string, initiator: CardInitiator, from: Date): Date =>
  new Date(from.getTime() + (lifetimesMs.get(brand)?.[initiator] ?? usualMs));
