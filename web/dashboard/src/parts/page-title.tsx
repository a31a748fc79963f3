import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './page-title.module.css';

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
