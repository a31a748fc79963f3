import type { Database } from '../../service/src/platform/database/open-database.ts';

/**
 * A program ends by SIGKILL at one statement: `KILL_AT="after submit 1"` is the first answer of a bank to a
 * submission, `"before payment_commit_change 3"` the third change of a payment.
 */
const [moment = '', statement = '', turn = '1'] = (process.env.KILL_AT ?? '').split(' ');

let passed = 0;
export const killAt = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
  if (name !== statement) return run();
  passed += 1;
  const isTurn = passed === Number(turn);
  if (isTurn && moment === 'before') process.kill(process.pid, 'SIGKILL');
  const value = await run();
  if (isTurn) process.kill(process.pid, 'SIGKILL');
  return value;
};

export const killableDatabase = (database: Database): Database => ({
  ...database,
  tenant: (merchantId, statement, values) =>
    killAt(statement.name, () => database.tenant(merchantId, statement, values)),
  batched: (tenant, forMany, item) =>
    killAt(forMany.statement.name, () => database.batched(tenant, forMany, item)),
  system: (statement, values) => killAt(statement.name, () => database.system(statement, values)),
});
