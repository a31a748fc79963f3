import { type FoundCardNumber, findCardNumbers } from './find-card-numbers.ts';

/** The text with at most the last four digits of a card number. It never becomes longer. */
export const maskCardNumbers = (text: string): string => {
  const found = findCardNumbers(text);
  if (found.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const number of found) {
    parts.push(text.slice(at, number.start), maskFor(text, number));
    at = number.end;
  }
  return parts.join('') + text.slice(at);
};

const maskFor = (text: string, { start, end, digits }: FoundCardNumber): string => {
  const mask = `****${digits.slice(-4)}`;
  return isJsonNumber(text, start, end) ? `"${mask}"` : mask;
};

// A number in JSON becomes a text in JSON, so that it stays JSON.
const isJsonNumber = (text: string, start: number, end: number): boolean =>
  /[:[,] ?$/.test(text.slice(Math.max(0, start - 2), start)) &&
  /^ ?[,}\]]/.test(text.slice(end, end + 2)) &&
  /^\d+$/.test(text.slice(start, end));
