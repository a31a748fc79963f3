export type Context = Record<string, string>;

const name = /\$([A-Za-z][\w-]*)/g;

/** `$name` becomes what the context holds, which may name others; an unknown one stays. */
export const fillIn = (text: string, context: Context): string => {
  let filled = text;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const next = filled.replace(name, (whole, found: string) => context[found] ?? whole);
    if (next === filled) break;
    filled = next;
  }
  return filled;
};

const maxDepth = 4;
