import type { Locale } from '../language/locales.ts';
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

export const catalogues = {
  ar: { ...ar, ...linkCatalogues.ar },
  bn: { ...bn, ...linkCatalogues.bn },
  cy: { ...cy, ...linkCatalogues.cy },
  en: { ...en, ...linkCatalogues.en },
  es: { ...es, ...linkCatalogues.es },
  fr: { ...fr, ...linkCatalogues.fr },
  de: { ...de, ...linkCatalogues.de },
  zh: { ...zh, ...linkCatalogues.zh },
  uk: { ...uk, ...linkCatalogues.uk },
  gu: { ...gu, ...linkCatalogues.gu },
  it: { ...it, ...linkCatalogues.it },
  pa: { ...pa, ...linkCatalogues.pa },
  pl: { ...pl, ...linkCatalogues.pl },
  pt: { ...pt, ...linkCatalogues.pt },
  ro: { ...ro, ...linkCatalogues.ro },
  ur: { ...ur, ...linkCatalogues.ur },
} as const satisfies Record<Locale, Messages & LinkMessages>;
