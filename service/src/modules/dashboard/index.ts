// Routes and work without a caller

export { dashboardJobs } from './jobs.ts';
export { servePreview } from './preview.ts';
export { memberRoutes } from './routes.ts';

// The log of requests

export { openRequestLog } from './request-log.ts';
