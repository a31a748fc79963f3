import type { ReactNode } from 'react';
import classes from './why-text.module.css';

type Why = { readonly title: string; readonly advice: string } | null;

/** Why something failed, and what to do about it. */
export const WhyText = ({ why }: { readonly why: Why }): ReactNode =>
  why && (
    <div className={classes.why}>
      <strong>{why.title}</strong>
      <span>{why.advice}</span>
    </div>
  );
