import * as dashboard from './dashboard/index.ts';
import { type FailureId, failures } from './failures.ts';
import * as contract from './index.ts';
import type { Operation } from './operation.ts';

const operationsIn = (exported: object): readonly Operation[] =>
  (Object.values(exported) as readonly unknown[]).filter(
    (value): value is Operation =>
      typeof value === 'object' && value !== null && 'method' in value && 'failsWith' in value,
  );

const sortKey = ({ path, method }: Operation): string => `${path} ${method}`;

/** Every operation, by path: an export of `index.ts` is listed by that alone. */
export const operations: readonly Operation[] = operationsIn(contract).toSorted((one, other) =>
  sortKey(one) < sortKey(other) ? -1 : 1,
);

/** Every operation that only the dashboard calls; none of them is published. */
export const dashboardOperations: readonly Operation[] = operationsIn(dashboard);

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
const memberFailures = [
  ...(['notFound', 'notPermitted', 'addressNotProven'] as const),
  ...(['secondFactorRequired', 'signInAgain'] as const),
];
