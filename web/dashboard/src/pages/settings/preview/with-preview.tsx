import type { CheckoutDraft } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import classes from './checkout-preview.module.css';
import { CheckoutPreview } from './checkout-preview.tsx';

type WithPreviewProps = { readonly draft: CheckoutDraft; readonly children: ReactNode };

/** Forms with what they change beside them; on a phone below them. */
export const WithPreview = ({ draft, children }: WithPreviewProps): ReactNode => (
  <div className={classes.beside}>
    <div>{children}</div>
    <CheckoutPreview draft={draft} />
  </div>
);
