import type { Metadata } from '../model.ts';
import { invalid } from '../rules/api-error.ts';

export type Params = {
  readonly [name: string]: Param;
};
type Param = string | readonly Param[] | Params;

type Branch = {
  [name: string]: Branch | string;
};

const maxDepth = 6;
const maxParameters = 1_000;

// a[b][0][c]=d, as Stripe's clients write nested parameters.
export const parseForm = (text: string): Params => {
  const root: Branch = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > maxParameters) break;
    put(root, pathOf(name), value);
  }
  return toParam(root) as Params;
};

const pathOf = (name: string): readonly string[] => {
  const [head = ''] = /^[^[]*/.exec(name) ?? [];
  const inside = [...name.slice(head.length).matchAll(/\[([^\]]*)\]/g)];
  return [head, ...inside.map((match) => match[1] ?? '')].slice(0, maxDepth);
};

const put = (root: Branch, path: readonly string[], value: string): void => {
  let branch = root;
  for (const part of path.slice(0, -1)) {
    const next = branch[part];
    const deeper: Branch = typeof next === 'object' ? next : Object.create(null);
    branch[part] = deeper;
    branch = deeper;
  }
  const last = path.at(-1) ?? '';
  branch[last === '' ? String(Object.keys(branch).length) : last] = value;
};

const toParam = (branch: Branch | string): Param => {
  if (typeof branch === 'string') return branch;
  const names = Object.keys(branch);
  const values = names.map((name) => toParam(branch[name] ?? ''));
  if (names.length > 0 && names.every((name, index) => name === String(index))) return values;
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
};

export const paramAt = (params: Params, path: string): Param | undefined => {
  let found: Param | undefined = params;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || Array.isArray(found)) return undefined;
    found = (found as Params)[name];
  }
  return found;
};

// An empty text unsets, like null.
export const textParam = (params: Params, path: string, max = 5_000): string | null => {
  const value = paramAt(params, path);
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid(`Invalid string: ${named(path)}`, named(path));
  if (value.length > max) throw invalid(`${named(path)} is too long.`, named(path));
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

export const paramOneOf = <Choice extends string>(
  params: Params,
  path: string,
  choices: readonly Choice[],
): Choice | null => {
  const value = textParam(params, path);
  if (value === null) return null;
  const chosen = choices.find((each) => each === value);
  if (chosen !== undefined) return chosen;
  throw invalid(`Invalid ${named(path)}: must be one of ${choices.join(', ')}`, named(path));
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
