import type { ReactNode } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';

type InviteLinkProps = { readonly path: string; readonly isMailed: boolean };

/** What was made of an invite. The link is not shown again. */
export const InviteLink = ({ path, isMailed }: InviteLinkProps): ReactNode => (
  <p role="status">
    {isMailed ? 'It was mailed. You can also send' : 'It was not mailed: send'} them this link,
    which is shown this once: <CopyText text={`${location.origin}${path}`} what="link" />
  </p>
);
