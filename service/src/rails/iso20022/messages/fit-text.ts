/** What every UK bank carries in names and references. */
const allowedPattern = /[^A-Za-z0-9/\-?:().,'+ ]/g;

const replacements: Readonly<Record<string, string>> = {
  '&': '+',
  _: '-',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '`': "'",
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
};

/**
 * Text as a bank accepts it: accents are removed, other signs become blanks, and it is cut to
 * length. Fitting twice changes nothing. Empty when nothing is left.
 */
export const fitText = (text: string, maxLength: number): string => {
  const replaced = [...text].map((sign) => replacements[sign] ?? sign).join('');
  const plain = replaced.normalize('NFKD').replace(/\p{M}/gu, '').replace(allowedPattern, ' ');
  return trim(trim(plain.replace(/\/{2,}/g, '/').replace(/ +/g, ' ')).slice(0, maxLength));
};

/** A leading or closing slash, or two in a row, ends a message at banks of the older formats. */
const trim = (text: string): string => text.replace(/^[ /]+|[ /]+$/g, '');
