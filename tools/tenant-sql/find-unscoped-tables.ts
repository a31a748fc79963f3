/** A table of merchant data, as the catalogue of the migrated database describes it. */
export type Table = {
  readonly name: string;
  readonly key: readonly string[];
  readonly hasEnvironment: boolean;
  readonly isProtected: boolean;
};

const reference = /\b(from|join|update|into|using)\s+(?:only\s+)?(?:florin\.)?([a-z_]+)\b/gi;

/** Tables that a statement reads or writes without naming the tenant. */
export const findUnscopedTables = (
  sql: string,
  tables: ReadonlyMap<string, Table>,
): readonly string[] => {
  const text = withoutComments(sql);
  const named = findNamedQueries(text);
  return [...text.matchAll(reference)].flatMap((found) => {
    const table = tables.get(found[2]?.toLowerCase() ?? '');
    const isRead = /from|join|using/i.test(found[1] ?? '');
    const isNamedQuery = isRead && found.index > (named.get(found[2] ?? '') ?? Infinity);
    if (!table || isNamedQuery) return [];
    const { start, end } = bracketsAround(text, found.index);
    return isNamed(text.slice(start, end), table)
      ? []
      : [`${found[1]?.toLowerCase()} ${table.name}`];
  });
};

const withoutComments = (text: string): string => text.replace(/--[^\n]*/g, '');

/** `with x as (…)`: after its end, x is that query, also when a table is called x. */
const findNamedQueries = (text: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(/\b(\w+)\s+as\s+(?:(?:not\s+)?materialized\s+)?\(/gi)].map((found) => {
      const { end } = bracketsAround(text, found.index + found[0].length);
      return [found[1] ?? '', end];
    }),
  );

/** A column counts where it is compared or listed, not where it is only read. */
const isNamed = (scope: string, table: Table): boolean => {
  const needed = table.hasEnvironment ? ['merchant_id', 'environment'] : ['merchant_id'];
  return needed.every((column) => {
    const compared = new RegExp(
      `\\b${column}\\s*(=|in\\b)|(=|in)\\s*\\(?\\w*\\.?${column}\\b`,
      'i',
    );
    const listed = /\(\s*(\w+\.)?merchant_id\b[^()]*\)/i;
    const list = listed.exec(scope)?.[0] ?? '';
    return compared.test(scope) || new RegExp(`\\b${column}\\b`).test(list);
  });
};

/** The query of a position: the content of the innermost brackets around it. */
const bracketsAround = (text: string, index: number): { start: number; end: number } => {
  const before = [...text.slice(0, index)].reverse();
  const start = index - countUntilUnmatched(before, ')', '(');
  return { start, end: index + countUntilUnmatched([...text.slice(index)], '(', ')') };
};

const countUntilUnmatched = (marks: readonly string[], opens: string, closes: string): number => {
  let depth = 0;
  const found = marks.findIndex((mark) => {
    if (mark === opens) depth += 1;
    if (mark === closes) depth -= 1;
    return depth < 0;
  });
  return found < 0 ? marks.length : found;
};
