import { createRootRoute, Outlet } from '@tanstack/react-router';
import { FailedPage } from '../pages/failed-page.tsx';
import { MissingPage } from '../pages/missing-page.tsx';

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: MissingPage,
  errorComponent: FailedPage,
});
