import type { ReactNode } from 'react';
import type { Environment } from '../call/tenant.ts';
import classes from './environment-badge.module.css';

/** Where an act takes effect: test money or real money. */
export const EnvironmentBadge = ({
  environment,
}: {
  readonly environment: Environment;
}): ReactNode => (
  <span className={classes.badge} data-environment={environment}>
    {environment === 'sandbox' ? 'Sandbox' : 'Production'}
  </span>
);
