import { openCases } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import { accounts } from './posting.ts';
import { ledgerStore } from './store/ledger-store.ts';
import { listTenantsToSnapshot, readLastVerification } from './store/verifications.ts';
import { verifyBooks } from './verify-books.ts';

const lookEveryMs = 10 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
const verifyEveryMs = dayMs;
const alertAfterMs = 2 * dayMs;
const maxTenants = 200;

export const ledgerJobs = (tools: Uses<'database' | 'ids'>) => [
  { name: 'takeLedgerSnapshots', everyMs: lookEveryMs, run: () => takeSnapshots(tools) },
  { name: 'verifyBooks', everyMs: lookEveryMs, run: () => verifyNightly(tools) },
];

/** Once a day for a tenant whose books have changed. One that fails keeps no other waiting. */
export const takeSnapshots = async ({
  database,
  ids,
}: Uses<'database' | 'ids'>): Promise<number> => {
  const rows = await database.system(listTenantsToSnapshot, {
    from: ids.uuid(),
    limit: maxTenants,
    accounts,
  });
  const ledger = ledgerStore(database);
  const errors: unknown[] = [];
  let taken = 0;
  for (const { merchant_id: merchantId, environment } of rows)
    await ledger.takeSnapshots({ merchantId, environment }).then(
      (accountsTaken) => {
        taken += accountsTaken.length;
      },
      (error: unknown) => errors.push(error),
    );
  if (errors.length > 0) throw errors[0];
  return taken;
};

/**
 * One worker, once a day: the last verification is recorded in the database. When none has ended for
 * two days, of whatever cause, the operator gets a case.
 */
const verifyNightly = async (tools: Uses<'database'>): Promise<number> => {
  const [last] = await tools.database.system(readLastVerification, {});
  if (last?.has_ended && last.age_ms < verifyEveryMs) return 0;
  if (last && last.age_ms > alertAfterMs)
    await openCases(tools, [
      {
        kind: 'BOOKS_NOT_VERIFIED',
        subject: 'books',
        description:
          'No verification of the books has ended for two days. Run verify-books, and look for why ' +
          'the job verifyBooks fails.',
        evidence: { days: Math.floor(last.age_ms / dayMs), hasEverEnded: last.has_ended },
      },
    ]);
  await verifyBooks(tools);
  return 0;
};
