import type { CardInitiator } from '#rails/card-rail.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What schemes allow where the processor has not said when: by scheme, then by who asked. */
const lifetimesMs = new Map<string, Readonly<Record<CardInitiator, number>>>([
  ['VISA', { CUSTOMER: 7 * dayMs, MERCHANT: 4 * dayMs + 18 * hourMs }],
]);

const usualMs = 7 * dayMs;

export const estimateExpiry = (brand: string, initiator: CardInitiator, from: Date): Date =>
  new Date(from.getTime() + (lifetimesMs.get(brand)?.[initiator] ?? usualMs));
