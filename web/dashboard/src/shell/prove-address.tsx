import { sendVerification } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Me } from '../call/use-me.ts';
import { useAct } from '../call/use-operation.ts';
import { WhereMailIs } from '../pages/proofs/where-mail-is.tsx';
import classes from './prove-address.module.css';

/** A quiet bar, until the person has opened the link that was mailed to them. */
export const ProveAddress = ({ me }: { readonly me: Me }): ReactNode => {
  const send = useAct(sendVerification);
  if (me.emailVerified) return null;
  return (
    <aside className={classes.bar} aria-label="Your address">
      <div>
        <p>
          Confirm {me.email} by the link that was mailed to you. Until then you work in the sandbox
          and send no invites.
        </p>
        {send.isSuccess && <p role="status">It was sent again.</p>}
        {send.error && <p role="alert">{send.error.message}</p>}
        <WhereMailIs />
      </div>
      <Button
        size="compact-sm"
        variant="default"
        loading={send.isPending}
        onClick={() => send.mutate({})}
      >
        Send it again
      </Button>
    </aside>
  );
};
