import type { Job } from '#platform/jobs.ts';
import type { Uses } from '#platform/tools.ts';
import { sealHead } from './seal-head.ts';

const sealEveryMs = 60 * 60 * 1_000;

export const auditJobs = (
  tools: Uses<'database' | 'secrets' | 'clock' | 'log'>,
): readonly Job[] => [{ name: 'sealAudit', everyMs: sealEveryMs, run: () => sealHead(tools) }];
