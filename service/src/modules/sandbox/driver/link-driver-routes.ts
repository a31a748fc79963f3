import { linkInSandbox as described } from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import { type LinkDriverTools, linkInSandbox } from './link-in-sandbox.ts';

export const linkDriverRoutes = (tools: LinkDriverTools): readonly Route[] => [
  route(described, ({ params, body, decideOnce }, { tenant }) =>
    linkInSandbox(tools, tenant, params.accountAuthId, body, decideOnce),
  ),
];
