import { setNewPassword } from '@florin/contract/dashboard/index.ts';
import { Anchor, Button, PasswordInput, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';

/** Of the link in the mail. Opening it uses nothing up: programs that look at mail open links too. */
export const NewPasswordPage = (): ReactNode => {
  const { token } = useParams({ from: '/new-password/$token' });
  const client = useQueryClient();
  const change = useAct(setNewPassword);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get('password'));
    change.mutate({ body: { token, password } }, { onSuccess: () => client.clear() });
  };
  if (change.data)
    return (
      <PersonShell>
        <PageTitle title="Your password is changed" />
        <Stack>
          <p role="status">Every session of {change.data.email} has ended.</p>
          <Button component={Link} to="/sign-in">
            Sign in
          </Button>
        </Stack>
      </PersonShell>
    );
  return (
    <PersonShell>
      <PageTitle
        title="Choose a new password"
        says="It ends every session, on this device and others."
      />
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            name="password"
            label="New password"
            description="At least 10 characters."
            autoComplete="new-password"
            minLength={10}
            required
          />
          {change.error && <FailureNotice failure={change.error} />}
          {change.error?.status === 404 && (
            <Anchor component={Link} to="/forgotten-password" underline="always">
              Have another link sent
            </Anchor>
          )}
          <Button type="submit" loading={change.isPending}>
            Change the password
          </Button>
        </Stack>
      </form>
    </PersonShell>
  );
};
