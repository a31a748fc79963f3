import * as contract from '@florin/contract';
import * as dashboard from '@florin/contract/dashboard/index.ts';
import type { Plugin } from 'vite';

const thinned: Readonly<Record<string, object>> = {
  '@florin/contract': contract,
  '@florin/contract/dashboard/index.ts': dashboard,
};
const mark = '\0thin:';

/**
 * The contract for the browser: of an operation only what a call needs, of the rest what is plain
 * data. With the schemas and TypeBox the first load would be twice as large. Lists have a module of
 * their own: addresses need them on every page, and a page its operations only.
 */
export const thinContract = (): Plugin => ({
  name: 'thin-contract',
  enforce: 'pre',
  resolveId: (id) => {
    if (id.startsWith(mark)) return id;
    return thinned[id] ? `${mark}${id}` : null;
  },
  load: (id) => {
    if (!id.startsWith(mark)) return null;
    const isOfLists = id.endsWith(ofLists);
    const whole = thinned[id.slice(mark.length).replace(ofLists, '')] ?? {};
    const lists = isOfLists ? '' : `export * from '${id}${ofLists}';\n`;
    return { code: lists + writeThin(whole, isOfLists), moduleSideEffects: false };
  },
});

const ofLists = '#lists';

const writeThin = (whole: object, isOfLists: boolean): string =>
  Object.entries(whole)
    .filter(([, value]) => Array.isArray(value) === isOfLists)
    .flatMap(([key, value]) => {
      const thin = thinValue(value);
      return thin === undefined ? [] : [`export const ${key} = ${JSON.stringify(thin)};`];
    })
    .join('\n');

const thinValue = (value: unknown): unknown => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || '~kind' in value) return undefined;
  if (!('failsWith' in value && 'method' in value)) return isPlain(value) ? value : undefined;
  const { id, method, path, access, idempotent } = value as unknown as contract.Operation;
  return { id, method, path, access, idempotent };
};

const isPlain = (value: unknown): boolean => {
  if (typeof value === 'function' || value instanceof RegExp) return false;
  if (typeof value !== 'object' || value === null) return true;
  return !('~kind' in value) && Object.values(value).every(isPlain);
};
