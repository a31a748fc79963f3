import { requirementOf } from '../../../contract/dashboard/index.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { Environment } from '../../../service/src/kernel/environment.ts';
import { authority } from './authority.ts';
import { type Actor, isRole, mayCall } from './may-call.ts';
import type { Called } from './open-authority.ts';
import type { Change } from './watch-changes.ts';

/** Who called is recorded, of a call that is refused too; a challenge is used up by a wrong answer. */
const everyCall =
  /^(\+audit_record|audit_head\.\w+|\+request_log|access_secret\.last_used_at|-person_verification)$/;

/** What a call changed beyond what the table, the role and the environment let it; empty: nothing. */
export const findTrespasses = (
  { actor, environment }: { readonly actor: Actor; readonly environment: Environment },
  operation: Operation,
  { status, changes }: Called,
): readonly string[] => {
  const { id, method } = operation;
  const own = changes.filter(({ key }) => !everyCall.test(key));
  const isDone = status === 200 && method !== 'GET' && mayCall(actor, operation);
  const permitted = new Set(isDone ? permittedKeys(id) : []);
  const isOutside = (change: Change): string | null => {
    // A clock that is moved makes everything fall due that its time passes.
    if (!permitted.has(change.key) && !permitted.has('*'))
      return `${id} (${status}) changed ${change.key}`;
    if (!makesMerchants.includes(id) && (change.environment ?? environment) !== environment)
      return `${id} in ${environment} changed ${change.key} of ${change.environment}`;
    return isRole(actor) && isShared(change) && !requirementOf(id)?.changesProduction
      ? `${id} changed ${change.key}, which both environments share`
      : null;
  };
  return own.map(isOutside).filter((each) => each !== null);
};

const makesMerchants = ['createMerchant', 'signUp'];

/** What payers and the operator see of a business, and who may do what in it. */
const isShared = ({ key }: Change): boolean => /^(merchant|membership)\./.test(key);

const permittedKeys = (id: string): readonly string[] =>
  (authority[id] ?? []).flatMap((entry) => {
    const [table = '', columns] = entry.split(': ');
    return columns ? columns.split(' ').map((column) => `${table}.${column}`) : [table];
  });
