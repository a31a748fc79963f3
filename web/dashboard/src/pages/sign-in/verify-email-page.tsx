import { getMe, verifyEmail } from '@florin/contract/dashboard/index.ts';
import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';
import { BrokenLink, isCut } from './broken-link.tsx';
import { useLinkToken } from './link-token.ts';

/** Of the link in the mail. A button, since programs that look at mail open links too. */
export const VerifyEmailPage = (): ReactNode => {
  const token = useLinkToken();
  const verify = useAct(verifyEmail, { changes: [getMe] });
  if (isCut(token)) return <BrokenLink to="/" says="Go to the dashboard" />;
  if (verify.data)
    return (
      <PersonShell>
        <PageTitle title="Your address is confirmed" />
        <Stack>
          <p role="status">{verify.data.email} is yours.</p>
          <Button component={Link} to="/">
            Continue to the dashboard
          </Button>
        </Stack>
      </PersonShell>
    );
  return (
    <PersonShell>
      <PageTitle title="Confirm your address" says="If you did not sign up, close this page." />
      <Stack>
        {verify.error && <FailureNotice failure={verify.error} />}
        <Button loading={verify.isPending} onClick={() => verify.mutate({ body: { token } })}>
          Confirm my address
        </Button>
      </Stack>
    </PersonShell>
  );
};
