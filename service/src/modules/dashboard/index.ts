// Routes and work without a caller

export { dashboardJobs } from './jobs.ts';
export { memberRoutes } from './member-routes.ts';
export { servePreview } from './preview.ts';

// The log of requests

export { openRequestLog } from './request-log.ts';
