import type { ReactNode } from 'react';
import { CopyText } from '../../../parts/texts.tsx';
import classes from './secret-once.module.css';

type SecretOnceProps = { readonly title: string; readonly secret: string };

/** A secret that the server does not show again. */
export const SecretOnce = ({ title, secret }: SecretOnceProps): ReactNode => (
  <p className={classes.secret}>
    <span className="soft">{title}</span>
    <CopyText text={secret} what={title.toLowerCase()} />
  </p>
);
