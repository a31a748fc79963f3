import type { ReportedStatus } from '#rails/transfer-rail.ts';

const settled: ReadonlySet<string> = new Set(['ACSC', 'ACCC', 'ACWP']);
const rejected: ReadonlySet<string> = new Set(['RJCT', 'CANC', 'BLCK']);

/** A code that is not known stays in progress: only what is certain moves money in the books. */
export const classifyStatus = (isoCode: string): ReportedStatus['stage'] => {
  if (settled.has(isoCode)) return 'SETTLED';
  return rejected.has(isoCode) ? 'REJECTED' : 'IN_PROGRESS';
};
