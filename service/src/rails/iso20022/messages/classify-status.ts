import type { ReportedStatus } from '#rails/transfer-rail.ts';

const settled: ReadonlySet<string> = new Set(['ACSC', 'ACCC', 'ACWP']);
const rejected: ReadonlySet<string> = new Set(['RJCT', 'CANC', 'BLCK']);

/** An unknown code stays in progress: only certain outcomes move money in the books. */
export const classifyStatus = (isoCode: string): ReportedStatus['stage'] => {
  if (settled.has(isoCode)) return 'SETTLED';
  return rejected.has(isoCode) ? 'REJECTED' : 'IN_PROGRESS';
};
