const stringToken = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;
const anyToken = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/**
 * The name of a member that valid JSON has twice in one object; null: there is none. Which of the two
 * counts differs between readers. Most bodies are told by a count alone.
 */
export const findRepeatedMember = (text: string, parsed: unknown): string | null =>
  countNames(text) === countMembers(parsed) ? null : findFirst(text);

const countNames = (text: string): number => {
  let count = 0;
  for (const [, colon] of text.matchAll(stringToken)) if (colon !== undefined) count += 1;
  return count;
};

/** Not by recursion: a body may be nested as deep as it is long. */
const countMembers = (parsed: unknown): number => {
  let count = 0;
  const left: unknown[] = [parsed];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    if (!Array.isArray(value)) count += members.length;
    for (const member of members) if (typeof member === 'object') left.push(member);
  }
  return count;
};

/** The counts also differ where the parser has left a member out, such as `__proto__`. */
const findFirst = (text: string): string | null => {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(anyToken)) {
    if (token === ':') {
      const name = String(JSON.parse(last));
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    } else if (token.startsWith('"')) last = token;
    else enter(open, token);
  }
  return null;
};

const enter = (open: Set<string>[], token: string): void => {
  if (token === '{' || token === '[') open.push(new Set());
  else open.pop();
};
