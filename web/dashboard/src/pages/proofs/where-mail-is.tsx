import { readSignIn } from '@florin/contract/dashboard/index.ts';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';

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
