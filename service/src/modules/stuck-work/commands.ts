import { limits } from '@florin/contract';
import type { OperatorCommands } from '#platform/command.ts';
import { listStuckWork } from './list-stuck-work.ts';

export const operatorCommands: OperatorCommands = {
  use: `
  stuck-work                   jobs and rows that keep failing: since when, why, and what to do`,
  run: {
    'stuck-work': async (tools) => {
      const { data, totalCount } = await listStuckWork(tools, {
        page: 0,
        size: limits.pageSizeMax,
      });
      if (totalCount === 0) return 'Nothing is stuck.';
      const lines = data.map(({ kind, workId, merchantId, since, attempts, lastFailure, advice }) =>
        [
          kind,
          workId,
          merchantId ?? '-',
          since,
          `${attempts} times`,
          lastFailure ?? '',
          advice,
        ].join('  '),
      );
      return [`${totalCount} stuck, the oldest first:`, ...lines].join('\n');
    },
  },
};
