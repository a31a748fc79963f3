import type { Authorisation } from './bank.ts';

/** The rail's memory, kept (encrypted) by the module between two steps of one payment. */
export type RailState = {
  readonly v: 1;
  readonly bankId: string;
  readonly version: string;
  readonly interactionId: string;
  readonly consentId: string;
  readonly amount: string;
  /** The submission, byte for byte: a repeat under the same key must be equal. */
  readonly body: string;
  readonly idempotencyKey: string;
  readonly payerAddress?: string;
  readonly payerUserAgent?: string;
  readonly authorisation?: Authorisation;
  readonly access?: { readonly token: string; readonly obtainedAt: number };
  readonly paymentId?: string;
};

export const writeRailState = (state: RailState): string => JSON.stringify(state);

/** Null if this connector did not write it. */
export const readRailState = (text: string): RailState | null => {
  try {
    const state: unknown = JSON.parse(text);
    return isRailState(state) ? state : null;
  } catch {
    return null;
  }
};

const texts = [
  'bankId',
  'version',
  'interactionId',
  'consentId',
  'amount',
  'body',
  'idempotencyKey',
] as const;

const isRailState = (state: unknown): state is RailState => {
  if (typeof state !== 'object' || state === null) return false;
  const members = state as Readonly<Record<string, unknown>>;
  return members.v === 1 && texts.every((name) => typeof members[name] === 'string');
};
