import { openCases } from '#modules/operator-cases/index.ts';
import { maintainPartitions, type StrayRows } from '#platform/database/maintain-partitions.ts';
import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { listUnconfirmedEpochs } from './cluster-epochs.ts';
import { partitionLives } from './table-lives.ts';

const everyMs = 10 * 60 * 1000;

/** Partitions are made ahead and dropped after their life; rows that had none raise an operator case. */
export const maintainTables = async (tools: Uses<'database' | 'config'>): Promise<number> => {
  const { strays, failures } = await maintainPartitions(
    tools.database,
    partitionLives(tools.config),
    tools.config.archiveFolder,
  );
  const epochs = await tools.database.system(listUnconfirmedEpochs, {});
  await openCases(tools, [...strays.map(caseOf), ...epochs.map(restoredCase)]);
  if (failures.length > 0) throw new Error(failures.join('; '));
  return 0;
};

const restoredCase = ({ epoch }: { readonly epoch: number }) =>
  ({
    kind: 'DATA_RESTORED',
    subject: `epoch ${epoch}`,
    description:
      'The data was restored, or a standby was promoted, while this program ran. No transfer is sent and ' +
      'no program starts before you have run "npm run operator -- reconcile" and "confirm-epoch".',
    evidence: { epoch },
  }) as const;

const caseOf = ({ table, rows }: StrayRows) =>
  ({
    kind: 'ROWS_IN_DEFAULT_PARTITION',
    subject: table,
    description:
      `Rows of ${table} were written when no partition was there for them. They are moved into one ` +
      'if that is possible. Find out why no worker made it in time.',
    evidence: { rows },
  }) as const;

export const tableJobs = (tools: Uses<'database' | 'config'>): readonly Job[] => [
  { name: 'maintainTables', everyMs, run: () => maintainTables(tools) },
];
