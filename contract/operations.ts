import { type FailureId, failures } from './failures.ts';
import * as contract from './index.ts';
import type { Operation } from './operation.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'failsWith' in value;

const sortKey = ({ path, method }: Operation): string => `${path} ${method}`;

/** Every operation, by path: an export of `index.ts` is listed by that alone. */
export const operations: readonly Operation[] = (Object.values(contract) as readonly unknown[])
  .filter(isOperation)
  .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

/** An operation fails with its own failures, and with those of its access, body and key. */
export const failuresOf = (operation: Operation): readonly FailureId[] => {
  const { method, idempotent } = operation;
  // Body and address are read before it is known whether the operation uses them.
  const readsBody = method !== 'GET';
  const brought: readonly (FailureId | false)[] = [
    'badRequest',
    ...accessFailures(operation),
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

const accessFailures = (operation: Operation): readonly (FailureId | false)[] => {
  const { access, method, idempotent, showsSecret } = operation;
  const isOfDashboard = access === 'member' || access === 'person' || access === 'visitor';
  if (isOfDashboard)
    return [
      access !== 'visitor' && 'signInRequired',
      method !== 'GET' && 'crossSite',
      ...(access === 'member' ? memberFailures : []),
    ];
  return [
    access !== 'open' && 'invalidCredential',
    access === 'sandboxSecret' && 'sandboxOnly',
    access !== 'operator' && Boolean(idempotent || showsSecret) && 'notEnabled',
  ];
};

/** Of every operation that members call, also of the merchant's own. */
const memberFailures = ['notFound', 'notPermitted', 'addressNotProven', 'signInAgain'] as const;
