import type { Database } from '../../service/src/platform/database/open-database.ts';
import type { Process, Stepper } from './open-stepper.ts';

/** Each statement is a step of the process, which may be its last. */
export const steppedDatabase = (
  stepper: Stepper,
  process: Process,
  database: Database,
): Database => ({
  ...database,
  tenant: (merchantId, statement, values) =>
    stepper.step(process, statement.name, () => database.tenant(merchantId, statement, values)),
  batched: (tenant, forMany, item) =>
    stepper.step(process, forMany.statement.name, () => database.batched(tenant, forMany, item)),
  system: (statement, values) =>
    stepper.step(process, statement.name, () => database.system(statement, values)),
});
