import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../design/icon.tsx';
import classes from './layout.module.css';

type PageTitleProps = {
  readonly title: string;
  /** One line below it. */
  readonly says?: ReactNode;
  /** A way back, above it. */
  readonly above?: ReactNode;
  /** Buttons at its side. */
  readonly children?: ReactNode;
};

export const PageTitle = ({ title, says, above, children }: PageTitleProps): ReactNode => {
  useDocumentTitle(`${title} · Florin`);
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        {above && <p className={classes.above}>{above}</p>}
        <h1>{title}</h1>
        {says && <div className="soft">{says}</div>}
      </div>
      {children && <div className={classes.acts}>{children}</div>}
    </header>
  );
};

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

type DetailListProps = {
  /** A value of null is left out. */
  readonly of: readonly (readonly [title: string, value: ReactNode])[];
};

/** Facts about one object, each with its name. */
export const DetailList = ({ of }: DetailListProps): ReactNode => (
  <dl className={classes.list}>
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

type EmptyStateProps = {
  readonly title: string;
  readonly icon?: IconName;
  /** What would be here, and how it comes to be. */
  readonly children: ReactNode;
};

/** Teaches what belongs here, instead of an empty table. */
export const EmptyState = ({ title, icon = 'search', children }: EmptyStateProps): ReactNode => (
  <Instead title={title} icon={icon}>
    <p>{children}</p>
  </Instead>
);

const Instead = ({ title, icon, children }: Required<EmptyStateProps>): ReactNode => (
  <div className={classes.state}>
    <Icon name={icon} size={32} />
    <h2>{title}</h2>
    <div className="soft">{children}</div>
  </div>
);

export const MissingPage = (): ReactNode => (
  <Instead title="There is no page here" icon="warning">
    <p>The address may be mistyped, or what it led to may have been removed.</p>
    <p>
      <Link to="/">Go to your businesses</Link>
    </p>
  </Instead>
);

/** Its code has not come yet: that is seen when it takes longer than a moment. */
export const WaitingPage = (): ReactNode => (
  <p role="status" className="soft">
    This page is being loaded. Without the server it waits, and comes by itself.
  </p>
);

/** A page that broke: nothing is lost, for nothing is decided in the browser. */
export const FailedPage = ({ error }: ErrorComponentProps): ReactNode => (
  <Instead title="This page stopped working" icon="warning">
    <p>No payment is affected. Load the page again; if it stops again, report this text:</p>
    <p className="code">{error instanceof Error ? error.message : String(error)}</p>
    <Button variant="default" onClick={() => location.reload()}>
      Load again
    </Button>
  </Instead>
);
