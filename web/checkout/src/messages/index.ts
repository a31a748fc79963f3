import { type Locale, locales } from '../language/locales.ts';
import { ar } from './ar.ts';
import { bn } from './bn.ts';
import { cy } from './cy.ts';
import { de } from './de.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { gu } from './gu.ts';
import { it } from './it.ts';
import { type LinkMessages, linkCatalogues } from './link/index.ts';
import { pa } from './pa.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ro } from './ro.ts';
import { uk } from './uk.ts';
import { ur } from './ur.ts';
import { zh } from './zh.ts';

export type MessageKey = keyof Messages | keyof LinkMessages;

const ofPayments = {
  ar,
  bn,
  cy,
  de,
  en,
  es,
  fr,
  gu,
  it,
  pa,
  pl,
  pt,
  ro,
  uk,
  ur,
  zh,
} satisfies Record<Locale, Messages>;

/** Every message of each language. */
export const catalogues = Object.fromEntries(
  locales.map((locale) => [locale, { ...ofPayments[locale], ...linkCatalogues[locale] }]),
) as Readonly<Record<Locale, Messages & LinkMessages>>;
