import type { ReactNode } from 'react';
import classes from './person-shell.module.css';

/** The frame of pages without a merchant: one narrow card. */
export const PersonShell = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={classes.frame}>
    <header className={classes.brand}>
      <span aria-hidden="true" />
      Florin
    </header>
    <main id="page" tabIndex={-1} className={`card ${classes.main}`}>
      {children}
    </main>
  </div>
);
