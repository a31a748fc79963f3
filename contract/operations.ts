import { type FailureId, failures } from './failures.ts';
import * as contract from './index.ts';
import type { Operation } from './operation.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'failsWith' in value;

const sortKey = ({ path, method }: Operation): string => `${path} ${method}`;

/** Every operation, by path: whatever `index.ts` exports is listed by that alone. */
export const operations: readonly Operation[] = (Object.values(contract) as readonly unknown[])
  .filter(isOperation)
  .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

/** An operation fails with what it says, and with what its access, body and key bring along. */
export const failuresOf = (operation: Operation): readonly FailureId[] => {
  const { access, method, idempotent, showsSecret } = operation;
  // A body is read, and an address too, before anybody asks whether one was wanted.
  const readsBody = method !== 'GET';
  const brought: readonly (FailureId | false)[] = [
    'badRequest',
    access !== 'open' && 'invalidCredential',
    access === 'sandboxSecret' && 'sandboxOnly',
    access !== 'operator' && Boolean(idempotent || showsSecret) && 'notEnabled',
    Boolean(idempotent) && 'idempotencyKeyReused',
    Boolean(idempotent) && 'idempotencyKeyInUse',
    readsBody && 'payloadTooLarge',
    readsBody && 'unsupportedMediaType',
    'rateLimited',
    'internalError',
    'unavailable',
  ];
  const all = new Set([...operation.failsWith, ...brought.filter((id) => id !== false)]);
  const order = Object.keys(failures);
  return [...all].sort((one, other) => order.indexOf(one) - order.indexOf(other));
};
