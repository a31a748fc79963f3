type Language = {
  /** How it calls itself, for the switch. */
  readonly name: string;
  /** Whose dates and numbers are written: the British form where a language has one. */
  readonly format: string;
  readonly direction?: 'rtl';
};

/** English, Welsh, the ten other main languages of England and Wales, and four of visitors. */
export const languages = {
  en: { name: 'English', format: 'en-GB' },
  cy: { name: 'Cymraeg', format: 'cy-GB' },
  pl: { name: 'Polski', format: 'pl-PL' },
  ro: { name: 'Română', format: 'ro-RO' },
  pa: { name: 'ਪੰਜਾਬੀ', format: 'pa-Guru-IN' },
  ur: { name: 'اردو', format: 'ur-PK', direction: 'rtl' },
  pt: { name: 'Português', format: 'pt-PT' },
  es: { name: 'Español', format: 'es-ES' },
  ar: { name: 'العربية', format: 'ar-EG', direction: 'rtl' },
  bn: { name: 'বাংলা', format: 'bn-BD' },
  gu: { name: 'ગુજરાતી', format: 'gu-IN' },
  it: { name: 'Italiano', format: 'it-IT' },
  fr: { name: 'Français', format: 'fr-FR' },
  de: { name: 'Deutsch', format: 'de-DE' },
  zh: { name: '简体中文', format: 'zh-CN' },
  uk: { name: 'Українська', format: 'uk-UA' },
} as const satisfies Record<string, Language>;

export type Locale = keyof typeof languages;

export const locales = Object.keys(languages) as readonly Locale[];

export const directionOf = (locale: Locale): 'ltr' | 'rtl' =>
  'direction' in languages[locale] ? 'rtl' : 'ltr';

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
