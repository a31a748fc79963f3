import type { Locale } from '../../language/locales.ts';
import { ar } from './ar.ts';
import { bn } from './bn.ts';
import { cy } from './cy.ts';
import { de } from './de.ts';
import { en, type LinkMessages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { gu } from './gu.ts';
import { it } from './it.ts';
import { pa } from './pa.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ro } from './ro.ts';
import { uk } from './uk.ts';
import { ur } from './ur.ts';
import { zh } from './zh.ts';

export type { LinkMessages } from './en.ts';

export const linkCatalogues = {
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
} satisfies Record<Locale, LinkMessages>;
