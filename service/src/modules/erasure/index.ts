// Work without a caller
export { erasureJobs } from './jobs.ts';
export { eraseDueAt, stuckErasures } from './store/claims.ts';
