import type { Metadata } from '../model.ts';
import { invalid } from '../rules/api-error.ts';
import type { Param, Params } from './parse-form.ts';

export const paramAt = (params: Params, path: string): Param | undefined => {
  let found: Param | undefined = params;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || Array.isArray(found)) return undefined;
    found = (found as Params)[name];
  }
  return found;
};

// An empty text unsets, like null.
export const textParam = (params: Params, path: string): string | null => {
  const value = paramAt(params, path);
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid(`Invalid string: ${named(path)}`, named(path));
  if (value.length > 5_000) throw invalid(`${named(path)} is too long.`, named(path));
  return value;
};

export const requiredParam = (params: Params, path: string): string => {
  const value = textParam(params, path);
  if (value !== null) return value;
  throw invalid(`Missing required param: ${named(path)}.`, named(path), 'parameter_missing');
};

export const integerParam = (params: Params, path: string): number | undefined => {
  const value = textParam(params, path);
  if (value === null) return undefined;
  if (/^\d{1,12}$/.test(value)) return Number(value);
  throw invalid(`Invalid integer: ${value}`, named(path), 'parameter_invalid_integer');
};

export const booleanParam = (params: Params, path: string): boolean => {
  const value = textParam(params, path);
  if (value === null || value === 'false') return false;
  if (value === 'true') return true;
  throw invalid(`Invalid boolean: ${value}`, named(path));
};

export const paramOneOf = <Word extends string>(
  params: Params,
  path: string,
  words: readonly Word[],
): Word | null => {
  const value = textParam(params, path);
  if (value === null) return null;
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  throw invalid(`Invalid ${named(path)}: must be one of ${words.join(', ')}`, named(path));
};

export const listParam = (params: Params, path: string): readonly Param[] => {
  const value = paramAt(params, path);
  if (value === undefined || value === '') return [];
  if (!Array.isArray(value)) throw invalid(`Invalid array: ${named(path)}`, named(path));
  return value as readonly Param[];
};

export const textsParam = (params: Params, path: string): readonly string[] =>
  listParam(params, path).flatMap((value) => (typeof value === 'string' ? [value] : []));

export const metadataParam = (
  params: Params,
  path = 'metadata',
  before: Metadata = {},
): Metadata => {
  const value = paramAt(params, path);
  if (value === undefined) return before;
  if (value === '') return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(`Invalid object: ${named(path)}`, named(path));
  }
  const entries = Object.entries(value).map(([name, each]) => {
    if (typeof each !== 'string') throw invalid('Metadata values must be text.', named(path));
    return [name, each] as const;
  });
  const merged = { ...before, ...Object.fromEntries(entries) };
  const given = Object.entries(merged).filter(([, each]) => each !== '');
  if (given.length > 50) throw invalid('You can have up to 50 metadata keys.', named(path));
  const isTooLong = ([name, each]: readonly [string, string]) =>
    name.length > 40 || each.length > 500;
  if (given.some(isTooLong)) throw invalid('A metadata key or value is too long.', named(path));
  return Object.fromEntries(given);
};

// An unknown parameter is the caller's mistake and is refused.
export const refuseUnknownParams = (params: Params, known: readonly string[]): void => {
  const stray = Object.keys(params).find((name) => name !== 'expand' && !known.includes(name));
  if (stray === undefined) return;
  throw invalid(`Received unknown parameter: ${stray}`, stray, 'parameter_unknown');
};

const named = (path: string): string => {
  const [head = '', ...rest] = path.split('.');
  return head + rest.map((part) => `[${part}]`).join('');
};
