import { dashboardJobs } from './jobs.ts';
import { statementDueAt, statementsDue } from './monthly-statement.ts';
import { servePreview } from './preview.ts';
import { memberRoutes } from './routes.ts';

// What the programs mount

export const dashboardModule = {
  name: 'dashboard',
  routes: [memberRoutes],
  pages: [servePreview],
  jobs: [dashboardJobs],
  dueAt: { mailStatements: statementDueAt },
  dueSource: statementsDue,
};

// Routes and work without a caller

export { dashboardJobs } from './jobs.ts';
export { memberRoutes } from './routes.ts';

// The log of requests

export { openRequestLog } from './request-log.ts';
