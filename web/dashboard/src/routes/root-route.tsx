import { Button } from '@mantine/core';
import { createRootRoute, type ErrorComponentProps, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MissingPage } from '../pages/missing-page.tsx';
import { EmptyState } from '../parts/layout.tsx';

/** A page that broke: nothing is lost, for nothing is decided in the browser. */
const FailedPage = ({ error, reset }: ErrorComponentProps): ReactNode => (
  <EmptyState title="This page stopped working" icon="warning">
    <p>No payment is affected. Load the page again; if it stops again, report this text:</p>
    <p className="code">{error instanceof Error ? error.message : String(error)}</p>
    <Button variant="default" onClick={reset}>
      Load again
    </Button>
  </EmptyState>
);

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: MissingPage,
  errorComponent: FailedPage,
});
