import type { Unknown } from './bank-rail.ts';

/** What a rail wrote as its memory, by its kind and the texts it holds; null: it did not write it. */
export const readRailState = <State extends { readonly v: 1 }>(
  text: string,
  kind: string,
  texts: readonly (string & keyof State)[],
): State | null => {
  try {
    const state = JSON.parse(text) as (State & Readonly<Record<string, unknown>>) | null;
    // The oldest kind, a payment at a bank, is written without its name.
    const isOwn = state?.v === 1 && (state.kind ?? 'BANK_PAYMENT') === kind;
    return isOwn && texts.every((name) => typeof state[name] === 'string') ? state : null;
  } catch {
    return null;
  }
};

/** Makes a step one that begins with the text that the rail wrote. */
export const onState =
  <On, State>(find: (text: string) => { readonly on: On; readonly state: State } | Unknown) =>
  <Given extends readonly unknown[], Outcome>(
    step: (on: On, state: State, ...given: Given) => Promise<Outcome>,
  ) =>
  async (text: string, ...given: Given): Promise<Outcome | Unknown> => {
    const found = find(text);
    return 'state' in found ? step(found.on, found.state, ...given) : found;
  };
