import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Me } from '../call/use-operation.ts';
import classes from './prove-address.module.css';

/** What the installation asks for, until the person has set it up and used it. */
export const NeedsSecondFactor = ({ me }: { readonly me: Me }): ReactNode =>
  me.needsSecondFactor && (
    <aside className={classes.bar} aria-label="Your second factor">
      <p>
        {me.operatorName} asks for a second factor. Set up an authenticator app, or sign in with a
        passkey. Until then you cannot work in production.
      </p>
      <Button size="compact-sm" variant="default" component={Link} to="/account">
        Set up
      </Button>
    </aside>
  );
