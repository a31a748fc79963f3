import { type Locale, languages } from './locales.ts';

/**
 * Figures are Western in every language, so that they compare with the bank's. Times are those of
 * the United Kingdom, where the payer's bank is.
 */
const figures = { numberingSystem: 'latn' } as const;
const timeZone = 'Europe/London';

const cached = <Format>(make: (locale: string) => Format): ((locale: Locale) => Format) => {
  const made = new Map<Locale, Format>();
  return (locale) => {
    const format = made.get(locale) ?? make(languages[locale].format);
    made.set(locale, format);
    return format;
  };
};

const moneyFormat = cached(
  (locale) =>
    new Intl.NumberFormat(locale, {
      ...figures,
      style: 'currency',
      currency: 'GBP',
      currencyDisplay: 'narrowSymbol',
    }),
);
const day = { timeZone, day: 'numeric', month: 'long', year: 'numeric' } as const;
const time = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const dateFormat = cached((locale) => new Intl.DateTimeFormat(locale, { ...figures, ...day }));
const timeFormat = cached((locale) => new Intl.DateTimeFormat(locale, { ...figures, ...time }));
const dateTimeFormat = cached(
  (locale) => new Intl.DateTimeFormat(locale, { ...figures, ...day, ...time }),
);
const countFormat = cached((locale) => new Intl.NumberFormat(locale, figures));
const percentFormat = cached(
  (locale) => new Intl.NumberFormat(locale, { ...figures, style: 'percent' }),
);
const durationFormats = {
  second: cached((locale) => new Intl.NumberFormat(locale, { ...figures, ...unit('second') })),
  minute: cached((locale) => new Intl.NumberFormat(locale, { ...figures, ...unit('minute') })),
};

const unit = (name: 'second' | 'minute') =>
  ({ style: 'unit', unit: name, unitDisplay: 'long' }) as const;

const isPlainAmount = /^-?\d{1,12}(?:\.\d{1,2})?$/;

/** A hyphen is no minus; a language written from the right keeps its marks around it. */
const moneySign = ({ type, value }: Intl.NumberFormatPart): string => {
  if (type === 'currency') return '£';
  return type === 'minusSign' ? value.replace('-', '−') : value;
};

/**
 * Pounds from the two-decimal text of the view, with the usual sign: some languages would write
 * "UK£". Other text is shown as it is.
 */
export const formatMoney = (locale: Locale, pounds: string): string =>
  isPlainAmount.test(pounds)
    ? moneyFormat(locale)
        .formatToParts(pounds as `${number}`)
        .map(moneySign)
        .join('')
    : pounds;

const parseDate = (iso: string): Date | null => {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? null : moment;
};

/** The day alone. */
export const formatDate = (locale: Locale, iso: string): string => {
  const at = parseDate(iso);
  return at === null ? iso : dateFormat(locale).format(at);
};

/** Day and time. */
export const formatDateTime = (locale: Locale, iso: string): string => {
  const at = parseDate(iso);
  return at === null ? iso : dateTimeFormat(locale).format(at);
};

/** The time alone if it is on the same day as `now`, else with the day. */
export const formatTimeOrDateTime = (locale: Locale, iso: string, now: string): string => {
  const [at, from] = [parseDate(iso), parseDate(now)];
  if (at === null || from === null) return iso;
  const day = dateFormat(locale);
  return day.format(at) === day.format(from)
    ? timeFormat(locale).format(at)
    : dateTimeFormat(locale).format(at);
};

export const formatCount = (locale: Locale, value: number): string =>
  countFormat(locale).format(value);

/** Whole percent. */
export const formatPercent = (locale: Locale, value: number): string =>
  percentFormat(locale).format(value / 100);

/** "30 seconds", "1 minute": whole minutes are written in minutes. */
export const formatDuration = (locale: Locale, seconds: number): string =>
  seconds >= 60 && seconds % 60 === 0
    ? durationFormats.minute(locale).format(seconds / 60)
    : durationFormats.second(locale).format(seconds);
