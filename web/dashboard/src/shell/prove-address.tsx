import { readSignIn, sendVerification } from '@florin/contract/dashboard/index.ts';
import { Anchor, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Me, useAct, useOperation } from '../call/use-operation.ts';
import classes from './prove-address.module.css';

/** A quiet bar, until the person has opened the link that was mailed to them. */
export const ProveAddress = ({ me }: { readonly me: Me }): ReactNode => {
  const send = useAct(sendVerification);
  return (
    <aside className={classes.bar} aria-label="Your address">
      <div>
        <p>
          Confirm {me.email} with the link we emailed you. Until then you can only work in the
          sandbox and cannot send invites.
        </p>
        {send.isSuccess && <p role="status">Sent again.</p>}
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

/** Where the mail is, on an installation that does not send it. */
export const WhereMailIs = (): ReactNode => {
  const { data } = useOperation(readSignIn);
  if (data?.mail === 'CAUGHT')
    return (
      <p>
        This installation has no mail server. The{' '}
        <Anchor href="/" underline="always" inherit>
          front page
        </Anchor>{' '}
        shows the mail, on the machine that runs it.
      </p>
    );
  if (data?.mail === 'NONE')
    return <p>This installation has no mail server: its operator can read you the link.</p>;
  return null;
};
