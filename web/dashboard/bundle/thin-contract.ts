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
 * data. With the schemas and TypeBox the first load would be twice as large.
 */
export const thinContract = (): Plugin => ({
  name: 'thin-contract',
  enforce: 'pre',
  resolveId: (id) => (thinned[id] ? `${mark}${id}` : null),
  load: (id) => {
    const whole = id.startsWith(mark) ? thinned[id.slice(mark.length)] : undefined;
    return whole ? { code: writeThin(whole), moduleSideEffects: false } : null;
  },
});

const writeThin = (whole: object): string =>
  Object.entries(whole)
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
