import * as contract from '@florin/contract';
import type { Plugin } from 'vite';

const name = '@florin/contract';
const resolved = '\0thin-contract';

/**
 * The contract for the browser: of an operation only what a call needs, of the rest what is plain
 * data. With the schemas and TypeBox the first load would be twice as large.
 */
export const thinContract = (): Plugin => ({
  name: 'thin-contract',
  enforce: 'pre',
  resolveId: (id) => (id === name ? resolved : null),
  load: (id) => (id === resolved ? { code: writeThin(), moduleSideEffects: false } : null),
});

const writeThin = (): string =>
  Object.entries(contract)
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
