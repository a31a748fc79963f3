import { setNewPassword } from '@florin/contract/dashboard/index.ts';
import { Anchor, Button, PasswordInput, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { signInAddress } from '../../call/session.ts';
import { useAct } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { focusAtFirst } from '../../parts/fields.ts';
import { PageTitle } from '../../parts/layout.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';
import { BrokenLink, isCut } from './broken-link.tsx';
import { useLinkToken } from './link-token.ts';

/** Of the link in the mail. Opening it uses nothing up: programs that look at mail open links too. */
export const NewPasswordPage = (): ReactNode => {
  const token = useLinkToken();
  const client = useQueryClient();
  const change = useAct(setNewPassword);
  const submit = (password: string): void =>
    change.mutate({ body: { token, password } }, { onSuccess: () => client.clear() });
  if (isCut(token)) return <BrokenLink to="/forgotten-password" says="Send a new link" />;
  if (change.data)
    return (
      <PersonShell>
        <PageTitle title="Your password has been changed" />
        <Stack>
          <p role="status">Every session of {change.data.email} has ended.</p>
          <Button component="a" href={signInAddress}>
            Sign in
          </Button>
        </Stack>
      </PersonShell>
    );
  return (
    <PersonShell>
      <PageTitle title="Choose a new password" says="This signs you out on every device." />
      <ActForm
        act={change}
        submit="Change password"
        said={
          change.error?.status === 404 && (
            <Anchor component={Link} to="/forgotten-password" underline="always">
              Send a new link
            </Anchor>
          )
        }
        onSubmit={(typed) => submit(typed('password'))}
      >
        <PasswordInput
          name="password"
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          minLength={10}
          required
          ref={focusAtFirst}
        />
      </ActForm>
    </PersonShell>
  );
};
