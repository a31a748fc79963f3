// Routes and work without a caller

export { deskJobs } from './jobs.ts';
export { memberRoutes } from './member-routes.ts';
export { servePreview } from './preview/serve-preview.ts';

// The log of requests

export { openRequestLog } from './requests/open-request-log.ts';
