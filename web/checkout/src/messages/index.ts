import type { Locale } from '../locales.ts';
import { en, type Messages } from './en.ts';

export type { MessageKey, Messages } from './en.ts';

export const catalogues = {
  en,
  cy: en,
  pl: en,
  ro: en,
  pa: en,
  ur: en,
  pt: en,
  es: en,
  ar: en,
  bn: en,
  gu: en,
  it: en,
} as const satisfies Record<Locale, Messages>;
