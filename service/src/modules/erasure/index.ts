import { erasureJobs } from './jobs.ts';
import { eraseDueAt } from './store/claims.ts';

// What the programs mount

export const erasureModule = {
  name: 'erasure',
  jobs: [erasureJobs],
  dueAt: { eraseDeletedCustomers: eraseDueAt },
};

// Work without a caller
export { stuckErasures } from './store/claims.ts';
