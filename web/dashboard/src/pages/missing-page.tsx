import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../parts/layout.tsx';

export const MissingPage = (): ReactNode => (
  <EmptyState title="There is no page here" icon="warning">
    <p>The address may be mistyped, or what it led to may have been removed.</p>
    <p>
      <Link to="/">Go to your businesses</Link>
    </p>
  </EmptyState>
);
