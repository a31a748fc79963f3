import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  readBankFeedFilters,
  readTransactionFilters,
} from '../pages/bank-feed/bank-feed-filters.ts';
import { tenantRoute } from './tenant-route.ts';

const bankFeed = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bank-feed',
  validateSearch: readBankFeedFilters,
  component: lazyRouteComponent(
    () => import('../pages/bank-feed/bank-feed-page.tsx'),
    'BankFeedPage',
  ),
});

const bankLink = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bank-feed/$accountAuthId',
  component: lazyRouteComponent(
    () => import('../pages/bank-feed/bank-link-page.tsx'),
    'BankLinkPage',
  ),
});

const bankAccount = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bank-feed/$accountAuthId/$accountId',
  validateSearch: readTransactionFilters,
  component: lazyRouteComponent(
    () => import('../pages/bank-feed/bank-account-page.tsx'),
    'BankAccountPage',
  ),
});

export const bankFeedRoutes = [bankFeed, bankLink, bankAccount] as const;
