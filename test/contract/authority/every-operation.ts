import type { Operation } from '../../../contract/operation.ts';
import { dashboardOperations, operations } from '../../../contract/operations.ts';

/** What is read first and what takes a row away last, so that each call finds its row. */
const harm = ({ id, method, path }: Operation): number => {
  const signing = ['rotateSigning', 'stageSigning', 'promoteSigning'];
  const at = signing.findIndex((each) => id.startsWith(each));
  if (at >= 0) return 1_500 + at;
  if (/^(payInSandbox|requestRefund)$/.test(id)) return 1_400 + id.length;
  if (/^(signOut|revoke\w*Session\w*|suspendMerchant|removeMember)$/.test(id))
    return 20_000 - id.length;
  const order = ['GET', 'POST', 'PUT', 'DELETE'].indexOf(method) * 2_000;
  return order - path.length + (/cancel|revoke|void|withdraw/i.test(id) ? 5_000 : 0);
};

export const everyOperation: readonly Operation[] = [...operations, ...dashboardOperations].sort(
  (one, other) => harm(one) - harm(other),
);
