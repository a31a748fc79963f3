import { asLocale, type Locale } from './locales.ts';

type LanguagePreference = { readonly locale: Locale | null; readonly weight: number };

/** The requested language, else the best of the browser's, else English. */
export const chooseLocale = (
  acceptLanguage: string | undefined,
  requested?: string | null,
): Locale => {
  const chosen = asLocale(requested ?? '');
  if (chosen !== null) return chosen;
  const preferences = (acceptLanguage ?? '')
    .split(',', maxEntries)
    .map(parsePreference)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return preferences.find(({ locale }) => locale !== null)?.locale ?? 'en';
};

const parsePreference = (entry: string): LanguagePreference => {
  const [tag = '', ...parameters] = entry.split(';');
  const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
  const weight = quality === undefined ? 1 : Number.parseFloat(quality.trim().slice(2));
  return { locale: asLocale(tag), weight: Number.isFinite(weight) ? weight : 0 };
};

const maxEntries = 40;
