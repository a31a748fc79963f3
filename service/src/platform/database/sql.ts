/**
 * `` sql('merchantId')`merchant_id = :merchantId and ${other}` `` makes a fragment. Interpolated fragments
 * bring their own values along; strings are SQL without values. A `:name` that is not declared
 * and a declared name that the text does not mention both throw here, when the program starts.
 */
export const sql =
  <const Own extends string = never>(...own: readonly Own[]) =>
  <const Parts extends readonly Part[]>(
    texts: TemplateStringsArray,
    ...parts: Parts
  ): Fragment<Own | NamesOf<Parts[number]>> => {
    const text = String.raw({ raw: texts }, ...parts.map(textOf));
    const ownText = [...texts, ...parts.filter((part) => !isFragment(part))].join(' ');
    requireSame(namesIn(ownText), own, text);
    const brought = parts.filter(isFragment).flatMap(({ values }) => values);
    return { sql: text, values: [...new Set([...own, ...brought])] as never, toString: refuseText };
  };

/** `:name` alone, as a part of another fragment. */
export const value = <const Name extends string>(name: Name): Fragment<Name> => ({
  sql: `:${name}`,
  values: [name],
  toString: refuseText,
});

/** SQL text with the names of the values that it mentions (`:merchantId`). */
export type Fragment<Name extends string = string> = {
  readonly sql: string;
  readonly values: readonly Name[];
  /** Throws: in a plain template a fragment would lose its values. */
  readonly toString: () => string;
};

export type Part = string | number | Fragment;
const refuseText = (): string => {
  throw new Error('compose a fragment with sql`…`, a plain template loses its values');
};

type NamesOf<Given> = Given extends Fragment<infer Name> ? Name : never;

const isFragment = (part: Part): part is Fragment => typeof part === 'object';

const textOf = (part: Part): string => (isFragment(part) ? part.sql : String(part));

const valuePattern = /(?<![:\w]):([a-z]\w*)/g;

/** Every `:name` of a text, once, in the order of first mention. */
export const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(valuePattern)].map(([, name = '']) => name)),
];

/** Replaces each `:name`. */
export const replaceNames = (text: string, replace: (name: string) => string): string =>
  text.replace(valuePattern, (_, name: string) => replace(name));

const requireSame = (mentioned: readonly string[], declared: readonly string[], text: string) => {
  const missing = mentioned.filter((name) => !declared.includes(name)).map((name) => `:${name}`);
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not declared in: ${text}`);
  const unused = declared.filter((name) => !mentioned.includes(name)).map((name) => `:${name}`);
  if (unused.length > 0) throw new Error(`${unused.join(', ')} not mentioned in: ${text}`);
};
