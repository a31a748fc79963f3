const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });
const whole = new Intl.NumberFormat('en-GB');

/** £1,234.50, and −£3.00 with a real minus sign. */
export const writePounds = (amount: number): string => pounds.format(amount).replace('-', '−');

export const writePoundsFromPence = (pence: number): string => writePounds(pence / 100);

/** 12,345 */
export const writeCount = (count: number): string => whole.format(count);

/** 1,204 ms */
export const writeMilliseconds = (ms: number | null): string | null =>
  ms === null ? null : `${writeCount(Math.round(ms))} ms`;

/** 1 row, 2 rows. */
export const countOf = (count: number, one: string, several = `${one}s`): string =>
  `${writeCount(count)} ${count === 1 ? one : several}`;

const written = /^(?:£\s*)?(\d{1,7}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

/** Pence of an amount as people write it: 12, 12.5, £1,234.50; null when it is none. */
export const parsePounds = (text: string): number | null => {
  const [found, whole = '', part = ''] = written.exec(text.trim()) ?? [];
  if (found === undefined) return null;
  return Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
};

/** Hundredths of a percent, as people write it: 0.75 is 75; null when it is none. */
export const parsePercent = (text: string): number | null => {
  const [found, whole = '', part = ''] = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim()) ?? [];
  if (found === undefined) return null;
  const basisPoints = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  return basisPoints <= 10_000 ? basisPoints : null;
};

/** 87%, or a dash where there is nothing to divide by. */
export const writeShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((100 * part) / whole)}%`;

/** 040004: 04-00-04. */
export const writeSortCode = (digits: string | null): string | null =>
  digits?.replace(/^(\d{2})(\d{2})(\d{2})$/, '$1-$2-$3') ?? null;

type Phone = { readonly phoneCountryCode: string | null; readonly phoneNumber: string | null };

/** +44 7700900123. */
export const writePhone = ({ phoneCountryCode, phoneNumber }: Phone): string | null => {
  if (!phoneNumber) return null;
  return phoneCountryCode ? `+${phoneCountryCode} ${phoneNumber}` : phoneNumber;
};
