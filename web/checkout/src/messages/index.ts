import type { Locale } from '../language/locales.ts';
import { ar } from './ar.ts';
import { bn } from './bn.ts';
import { cy } from './cy.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { gu } from './gu.ts';
import { it } from './it.ts';
import { type LinkMessages, linkCatalogues } from './link/index.ts';
import { pa } from './pa.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ro } from './ro.ts';
import { ur } from './ur.ts';

export type MessageKey = keyof Messages | keyof LinkMessages;

export const catalogues = {
  ar: { ...ar, ...linkCatalogues.ar },
  bn: { ...bn, ...linkCatalogues.bn },
  cy: { ...cy, ...linkCatalogues.cy },
  en: { ...en, ...linkCatalogues.en },
  es: { ...es, ...linkCatalogues.es },
  gu: { ...gu, ...linkCatalogues.gu },
  it: { ...it, ...linkCatalogues.it },
  pa: { ...pa, ...linkCatalogues.pa },
  pl: { ...pl, ...linkCatalogues.pl },
  pt: { ...pt, ...linkCatalogues.pt },
  ro: { ...ro, ...linkCatalogues.ro },
  ur: { ...ur, ...linkCatalogues.ur },
} as const satisfies Record<Locale, Messages & LinkMessages>;
