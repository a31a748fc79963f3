import { expect, test } from 'vitest';
import { chooseLocale } from './locales.ts';

test.each([
  ['cy-GB,cy;q=0.9,en;q=0.8', '', 'cy'],
  ['nl-NL,nl;q=0.9,pl;q=0.5,en;q=0.4', '', 'pl'],
  ['en;q=0.2,ur;q=0.7', '', 'ur'],
  ['en-GB', 'ar', 'ar'],
  ['pt_BR', 'xx', 'pt'],
  ['pl;q=0,en', null, 'en'],
  ['*', '', 'en'],
  [undefined, undefined, 'en'],
  [';;;,,q=', '<script>', 'en'],
])('%s, requested %s: %s', (acceptLanguage, requested, locale) => {
  expect(chooseLocale(acceptLanguage, requested)).toBe(locale);
});
