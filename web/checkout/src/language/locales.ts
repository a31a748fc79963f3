/** English, Welsh, the ten other main languages of England and Wales, and four of visitors. */
export const locales = [
  'en',
  'cy',
  'pl',
  'ro',
  'pa',
  'ur',
  'pt',
  'es',
  'ar',
  'bn',
  'gu',
  'it',
  'fr',
  'de',
  'zh',
  'uk',
] as const;

export type Locale = (typeof locales)[number];

/** How each language calls itself, for the switch. */
export const localeNames = {
  en: 'English',
  cy: 'Cymraeg',
  pl: 'Polski',
  ro: 'Română',
  pa: 'ਪੰਜਾਬੀ',
  ur: 'اردو',
  pt: 'Português',
  es: 'Español',
  ar: 'العربية',
  bn: 'বাংলা',
  gu: 'ગુજરાતી',
  it: 'Italiano',
  fr: 'Français',
  de: 'Deutsch',
  zh: '简体中文',
  uk: 'Українська',
} as const satisfies Record<Locale, string>;

/** British forms of dates where a language has them. */
export const formatLocales = {
  en: 'en-GB',
  cy: 'cy-GB',
  pl: 'pl-PL',
  ro: 'ro-RO',
  pa: 'pa-Guru-IN',
  ur: 'ur-PK',
  pt: 'pt-PT',
  es: 'es-ES',
  ar: 'ar-EG',
  bn: 'bn-BD',
  gu: 'gu-IN',
  it: 'it-IT',
  fr: 'fr-FR',
  de: 'de-DE',
  zh: 'zh-CN',
  uk: 'uk-UA',
} as const satisfies Record<Locale, string>;

const rightToLeft: ReadonlySet<Locale> = new Set(['ur', 'ar']);

export const directionOf = (locale: Locale): 'ltr' | 'rtl' =>
  rightToLeft.has(locale) ? 'rtl' : 'ltr';

export const asLocale = (tag: string): Locale | null => {
  const language = tag.trim().toLowerCase().split(/[-_]/)[0];
  return locales.find((locale) => locale === language) ?? null;
};

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
