/** Spreadsheets run a text that begins so as a formula. */
const startsFormula = /^[\s;|]*[=+\-@＝＋－＠]|^[\t\r\n]/;
// Some split at these too, and run what comes after them.
const splitsFormula = /[;|\t](?=\s*[=+\-@＝＋－＠])/g;
const needsQuotes = /[",;|\t\r\n]/;

/**
 * One cell as RFC 4180 writes it. A text that a spreadsheet would run gets an apostrophe in front; an
 * amount stays the number that it is, negative too.
 */
export const csvCell = (value: Cell): string => {
  if (value === null) return '';
  if (typeof value === 'object') return quoted(value.amount);
  if (typeof value !== 'string') return String(value);
  const guarded = value.replaceAll(splitsFormula, "$&'");
  return quoted(startsFormula.test(value) ? `'${guarded}` : guarded);
};

/** `amount`: pounds as the interface prints them. */
export type Cell = string | number | boolean | null | { readonly amount: string };

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

const quoted = (text: string): string =>
  needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
