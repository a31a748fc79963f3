/** Careful reading of a bank's answer: anything missing or of another type is undefined. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

export const objectAt = (value: unknown, ...path: readonly string[]): JsonObject | undefined => {
  let here: unknown = value;
  for (const name of path) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return undefined;
    here = here[name];
  }
  return isObject(here) ? here : undefined;
};

export const textOf = (
  object: JsonObject | undefined,
  name: string,
  maxLength = 512,
): string | undefined => {
  const value = object && Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength
    ? value
    : undefined;
};

export const listOf = (object: JsonObject | undefined, name: string): readonly unknown[] => {
  const value = object && Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value.slice(0, 50) : [];
};

/** A list of the answer's data: empty when it is absent, null when it is something else. */
export const entriesAt = (
  body: JsonObject,
  name: string,
  max: number,
): readonly unknown[] | null => {
  const value = objectAt(body, 'Data')?.[name];
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.slice(0, max) : null;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
