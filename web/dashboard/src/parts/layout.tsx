import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../design/icon.tsx';
import classes from './layout.module.css';

type PageTitleProps = {
  readonly title: string;
  /** Its state, beside it. */
  readonly badges?: ReactNode;
  /** One line below it. */
  readonly says?: ReactNode;
  /** A way back, above it. */
  readonly above?: ReactNode;
  /** Buttons at its side. */
  readonly children?: ReactNode;
};

export const PageTitle = ({ title, badges, says, above, children }: PageTitleProps): ReactNode => {
  useDocumentTitle(`${title} · Florin`);
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        {above && <p className={classes.above}>{above}</p>}
        <div className={classes.title}>
          <h1>{title}</h1>
          {badges}
        </div>
        {says && <div className="soft">{says}</div>}
      </div>
      {children && <div className={classes.acts}>{children}</div>}
    </header>
  );
};

/** Fields below the title: which days, which store. Its buttons stay beside it. */
export const Choices = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={classes.choices}>{children}</div>
);

type SectionCardProps = {
  readonly title: string;
  /** On the line of the title, such as what it adds up to. */
  readonly beside?: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
};

/** A part of a page with a heading of its own. */
export const SectionCard = ({ title, beside, acts, children }: SectionCardProps): ReactNode => (
  <section className={`card ${classes.section}`} aria-label={title}>
    <div className={classes.head}>
      <h2>{title}</h2>
      {beside && <div className={classes.beside}>{beside}</div>}
      {acts}
    </div>
    {children}
  </section>
);

type DetailListProps = {
  /** A value that is none is left out. */
  readonly of: readonly (readonly [title: string, value: ReactNode])[];
};

/** Facts about one object, each with its name. */
export const DetailList = ({ of }: DetailListProps): ReactNode => (
  <dl className={classes.list}>
    {of
      .filter(([, value]) => value || value === 0)
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
  /** The button that makes the first. */
  readonly act?: ReactNode;
};

/** Teaches what belongs here, instead of an empty table. */
export const EmptyState = (props: EmptyStateProps): ReactNode => {
  const { title, icon = 'search', children, act } = props;
  return (
    <Instead title={title} icon={icon}>
      <p>{children}</p>
      {act}
    </Instead>
  );
};

type InsteadProps = Required<Omit<EmptyStateProps, 'act'>>;

export const Instead = ({ title, icon, children }: InsteadProps): ReactNode => (
  <div className={classes.state}>
    <Icon name={icon} size={32} />
    <h2>{title}</h2>
    <div className="soft">{children}</div>
  </div>
);

export const MissingPage = (): ReactNode => (
  <Instead title="Page not found" icon="warning">
    <p>The address may be wrong, or the page may have been removed.</p>
    <p>
      <Link to="/">Go to your businesses</Link>
    </p>
  </Instead>
);

/** Its code has not come yet: that is seen when it takes longer than a moment. */
export const WaitingPage = (): ReactNode => (
  <p role="status" className="soft">
    This page is loading. If the server does not answer, it waits and loads by itself.
  </p>
);

/** A page that broke: nothing is lost, for nothing is decided in the browser. */
export const FailedPage = ({ error }: ErrorComponentProps): ReactNode => (
  <Instead title="This page stopped working" icon="warning">
    <p>No payments are affected. Reload the page; if it stops again, report this text:</p>
    <p className="code">{error instanceof Error ? error.message : String(error)}</p>
    <Button variant="default" onClick={() => location.reload()}>
      Reload
    </Button>
  </Instead>
);
