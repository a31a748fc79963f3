import type { Brand } from '../card-row.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

type Window = {
  readonly customerInitiatedMs: number;
  readonly merchantInitiatedMs: number;
};

const week: Window = { customerInitiatedMs: 7 * dayMs, merchantInitiatedMs: 7 * dayMs };

// How long an authorisation can be captured, by scheme and by who initiated it.
const captureWindows: Readonly<Record<Brand, Window>> = {
  visa: { customerInitiatedMs: 7 * dayMs, merchantInitiatedMs: 4 * dayMs + 18 * hourMs },
  mastercard: week,
  amex: week,
  discover: week,
  jcb: week,
  diners: week,
};

export const captureWindowMs = (brand: Brand, isMerchantInitiated: boolean): number => {
  const window = captureWindows[brand];
  return isMerchantInitiated ? window.merchantInitiatedMs : window.customerInitiatedMs;
};
