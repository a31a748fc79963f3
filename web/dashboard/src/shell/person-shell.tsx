import type { ReactNode } from 'react';
import classes from './person-shell.module.css';

/** The frame of pages without a merchant: one narrow card. */
export const PersonShell = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={classes.frame}>
    <p className={classes.brand}>
      <span aria-hidden="true" />
      Florin
    </p>
    <main className={`card ${classes.main}`}>{children}</main>
  </div>
);
