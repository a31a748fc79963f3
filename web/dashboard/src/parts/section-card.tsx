import type { ReactNode } from 'react';
import classes from './section-card.module.css';

type SectionCardProps = {
  readonly title: string;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
};

/** A part of a page with a heading of its own. */
export const SectionCard = ({ title, acts, children }: SectionCardProps): ReactNode => (
  <section className={`card ${classes.section}`} aria-label={title}>
    <div className={classes.head}>
      <h2>{title}</h2>
      {acts}
    </div>
    {children}
  </section>
);
