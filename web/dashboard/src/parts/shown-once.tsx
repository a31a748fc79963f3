import { Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import lineClasses from './secret-once.module.css';
import classes from './shown-once.module.css';
import { CopyText } from './texts.tsx';

type ShownOnceProps = { readonly secret: string; readonly what: string };

/** A secret that no page shows again. */
export const ShownOnce = ({ secret, what }: ShownOnceProps): ReactNode => (
  <div className={`card ${classes.shown}`} role="status">
    <strong>Copy this {what} now: it is shown only once.</strong>
    <code className={classes.secret}>{secret}</code>
    <CopyButton value={secret}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          {copied ? 'Copied' : `Copy ${what}`}
        </Button>
      )}
    </CopyButton>
  </div>
);

type SecretOnceProps = { readonly title: string; readonly secret: string };

/** The same as one line, where the words around it say so. */
export const SecretOnce = ({ title, secret }: SecretOnceProps): ReactNode => (
  <p className={lineClasses.secret}>
    <span className="soft">{title}</span>
    <CopyText text={secret} what={title.toLowerCase()} />
  </p>
);
