import { compileValidator } from '#platform/http/compile-validator.ts';

/** The words of a command: `name=value`, the value as JSON, or as plain text where it is none. */
export const readAssignments = (words: readonly string[], use: string): Record<string, unknown> =>
  Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(word) ?? [];
      if (!name || value === undefined) throw new Error(use);
      return [name, parsedOr(value, () => value)];
    }),
  );

/** One word that is JSON. */
export const readJson = (text: string, use: string): unknown =>
  parsedOr(text, () => {
    throw new Error(use);
  });

export const parsedOr = (text: string, otherwise: () => unknown): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise();
  }
};

/** What the operation of the same name takes; a mistake is one sentence. */
export const requireValid = <Value>(schema: object | undefined, value: unknown): Value => {
  const [error] = compileValidator('body', schema ?? {})(value);
  if (error) throw new Error(`${error.message}.`);
  return value as Value;
};
