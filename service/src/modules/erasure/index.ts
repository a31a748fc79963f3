// Work without a caller
export { erasureJobs } from './jobs.ts';
export { eraseDueAt } from './store/claims.ts';
export { stuckErasures } from './store/stuck-erasures.ts';
