import type { Operation } from '../operation.ts';
import * as dashboard from './index.ts';

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'failsWith' in value;

/** Every operation that only the dashboard calls; none of them is published. */
export const dashboardOperations: readonly Operation[] = (
  Object.values(dashboard) as readonly unknown[]
).filter(isOperation);
