import { Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './shown-once.module.css';

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
