import type { Json, JsonObject } from '../ports.ts';

// The path of the first member in which two JSON values differ; member order does not matter.
export const firstDifference = (
  left: Json | undefined,
  right: Json | undefined,
  path: string,
): string | undefined => {
  if (left === right) return undefined;
  if (Array.isArray(left) && Array.isArray(right)) return arraysDiffer(left, right, path);
  if (isObject(left) && isObject(right)) return objectsDiffer(left, right, path);
  return path;
};

const arraysDiffer = (left: readonly Json[], right: readonly Json[], path: string) => {
  if (left.length !== right.length) return path;
  for (const [index, value] of left.entries()) {
    const difference = firstDifference(value, right[index], `${path}[${index}]`);
    if (difference) return difference;
  }
  return undefined;
};

const objectsDiffer = (left: JsonObject, right: JsonObject, path: string) => {
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = firstDifference(left[name], right[name], `${path}.${name}`);
    if (difference) return difference;
  }
  return undefined;
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
