// Work without a caller
export { erasureJobs } from './jobs.ts';
