import { testCardNumbers } from '../../../service/src/platform/card-numbers/test-card-numbers.ts';

/** Numbers outside the sandbox's list, which tests use for that reason. */
const strangers = ['4012888888881881', '4539578763621486', '4929000000006'];
const numbers = [...testCardNumbers, ...strangers];

const between = '(?:[ ._/+-]|\\xc2?\\xa0|%20|%2d|%c2%a0|\\\\+u00a0){0,3}';
const written = new RegExp(`\\d(?:${between}\\d){12,}`, 'gi');
const inHex = /(?:3\d(?:20|2d|2e|c2a0|a0)?){13,}/gi;

/**
 * Test card numbers in the output of a run, by their last four digits and notation: plain, with
 * separators, in hexadecimal or in base64. Bytes are read as latin1.
 */
export const findTraces = (text: string): readonly string[] => {
  const found = new Set<string>();
  const note = (number: string, form: string) => found.add(`****${number.slice(-4)} ${form}`);
  for (const [match] of text.matchAll(written))
    for (const number of within(withoutEscapes(match))) note(number, 'in digits');
  for (const [match] of text.matchAll(inHex))
    for (const number of within(Buffer.from(match, 'hex').toString('latin1')))
      note(number, 'in hexadecimal');
  for (const [match] of text.matchAll(inBase64)) note(base64Forms.get(match) ?? '', 'in base64');
  return [...found];
};

const withoutEscapes = (text: string): string => text.replace(/%20|%2d|%c2%a0|\\+u00a0/gi, '');

const within = (text: string): readonly string[] => {
  const digits = text.replace(/\D/g, '');
  return numbers.filter((number) => digits.includes(number));
};

const bitsOfByte = 8;
const bitsOfCharacter = 6;

/** The base64 characters that depend on the text alone, after this many bytes. */
const base64Of = (text: string, bytesBefore: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(bytesBefore), Buffer.from(text)]).toString('base64');
  const from = Math.ceil((bytesBefore * bitsOfByte) / bitsOfCharacter);
  const to = Math.floor(((bytesBefore + text.length) * bitsOfByte) / bitsOfCharacter);
  return encoded.slice(from, to);
};

const grouped = (number: string, separator: string): string =>
  number.match(/.{1,4}/g)?.join(separator) ?? '';

const base64Forms: ReadonlyMap<string, string> = new Map(
  numbers.flatMap((number) =>
    ['', ' ', '-'].flatMap((separator) =>
      [0, 1, 2].map((before) => [base64Of(grouped(number, separator), before), number] as const),
    ),
  ),
);
const inBase64 = new RegExp([...base64Forms.keys()].join('|'), 'g');
