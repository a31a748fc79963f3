import { failures } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import type { Config } from '#platform/config.ts';

// Beside the dashboard: what says how the program is, documents, and pictures, which nothing runs in.
const ofBoth = [
  ...['/health', '/docs', '/robots.txt', '/.well-known/', '/llms.txt', '/openapi.json', '/metrics'],
  ...['/merchant-logos/', '/bank-icons/', '/external-display'],
];

/**
 * With DASHBOARD_URL the dashboard is answered on that host alone, and it alone there: a fault in a page of
 * payers cannot act in the dashboard. A page that is asked for at the wrong host is led to the right one.
 * Called before routes are mounted.
 */
export const serveDashboardApart = (
  app: FastifyInstance,
  { dashboardOrigin, publicUrl }: Pick<Config, 'dashboardOrigin' | 'publicUrl'>,
): void => {
  if (dashboardOrigin === null || publicUrl === null) return;
  const { host } = new URL(dashboardOrigin);
  app.addHook('onRequest', (request, reply, done) => {
    const isAtDashboard = request.host.toLowerCase() === host;
    const { url = '' } = request.routeOptions;
    const isDashboard = url === '/dashboard' || url.startsWith('/dashboard/');
    const isOfBoth = ofBoth.some((start) => url.startsWith(start));
    if (isOfBoth || isAtDashboard === isDashboard) return done();
    if (!isPage(request, url)) return done(new Failure(failures.notFound));
    reply.redirect(`${isAtDashboard ? publicUrl : dashboardOrigin}${request.url}`, 302);
  });
};

const isPage = ({ method }: FastifyRequest, url: string): boolean =>
  (method === 'GET' || method === 'HEAD') && !/^\/(?:dashboard\/)?api\//.test(url);
