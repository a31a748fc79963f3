import { asLocale, type Locale } from './locales.ts';

type Wish = { readonly locale: Locale | null; readonly weight: number };

const wishOf = (entry: string): Wish => {
  const [tag = '', ...parameters] = entry.split(';');
  const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
  const weight = quality === undefined ? 1 : Number.parseFloat(quality.trim().slice(2));
  return { locale: asLocale(tag), weight: Number.isFinite(weight) ? weight : 0 };
};

const mostEntries = 40;

/** The language that was asked for, else the best of the browser's, else English. */
export const chooseLocale = (acceptLanguage: string | undefined, asked?: string | null): Locale => {
  const chosen = asLocale(asked ?? '');
  if (chosen !== null) return chosen;
  const wishes = (acceptLanguage ?? '')
    .split(',', mostEntries)
    .map(wishOf)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wishes.find(({ locale }) => locale !== null)?.locale ?? 'en';
};
