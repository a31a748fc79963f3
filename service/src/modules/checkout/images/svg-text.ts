const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// XML has no place for most control characters, not even escaped.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff\ufffe\uffff]/gu;

/** Merchant text inside an image: shown, never run. */
const svgEscape = (text: string): string =>
  text.replace(unprintable, '').replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/**
 * About half of the em of wide letters in our font; enough to decide when a line breaks or shrinks.
 */
const averageWidth = 0.6;

export type TextStyle = {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
};

export const svgText = (x: number, y: number, text: string, style: TextStyle): string =>
  `<text x="${x}" y="${y}" font-size="${style.size}" fill="${style.colour ?? '#111827'}" ` +
  `font-weight="${style.bold ? 700 : 400}" text-anchor="${style.anchor ?? 'middle'}">` +
  `${svgEscape(text)}</text>`;

/** The widest figures and signs of our font, in bold, by the em. */
const digitWidth = 0.7;
const signWidth = 0.4;

/** The size at which an amount of any length stands on one line, whole. */
export const fitAmount = (amount: string, size: number, width: number): number => {
  const ems = [...amount].reduce(
    (sum, character) => sum + (/[.,\s]/.test(character) ? signWidth : digitWidth),
    0,
  );
  return Math.min(size, Math.floor(width / ems));
};

/** Words on as many lines as needed; a word too long for a line is cut. */
export const breakLines = (text: string, size: number, width: number, max: number): string[] => {
  const longest = Math.max(1, Math.floor(width / (size * averageWidth)));
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= longest)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > longest ? `${word.slice(0, longest - 1)}…` : word);
  }
  if (lines.length <= max) return lines;
  const saved = lines.slice(0, max);
  saved[max - 1] = `${(saved[max - 1] ?? '').slice(0, longest - 1)}…`;
  return saved;
};
