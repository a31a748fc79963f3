import { requestNewPassword } from '@florin/contract/dashboard/index.ts';
import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { WhereMailIs } from '../../shell/prove-address.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';

/** It says the same for every address: who has signed up is not for a visitor to know. */
export const ForgottenPasswordPage = (): ReactNode => {
  const request = useAct(requestNewPassword);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    request.mutate({ body: { email } });
  };
  const back = (
    <Anchor component={Link} to="/sign-in" underline="always">
      Back to the sign-in
    </Anchor>
  );
  if (request.isSuccess)
    return (
      <PersonShell>
        <PageTitle title="Look at your mail" above={back} />
        <Stack>
          <p role="status">
            If somebody has signed up with {request.variables.body?.email}, a link is on its way. It
            works once, within 30 minutes.
          </p>
          <WhereMailIs />
        </Stack>
      </PersonShell>
    );
  return (
    <PersonShell>
      <PageTitle
        title="A new password"
        above={back}
        says="We mail you a link with which you choose another password."
      />
      <form onSubmit={submit}>
        <Stack>
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
          {request.error && <FailureNotice failure={request.error} />}
          <Button type="submit" loading={request.isPending}>
            Send the link
          </Button>
        </Stack>
      </form>
    </PersonShell>
  );
};
