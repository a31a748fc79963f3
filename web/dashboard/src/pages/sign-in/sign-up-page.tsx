import { signUp } from '@florin/contract/dashboard/index.ts';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { hasPasskeys } from '../../call/passkeys.ts';
import { useSending } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';
import { AddPasskey } from '../account/add-passkey.tsx';

/** A person with a business of their own in the sandbox; then a passkey is offered. */
export const SignUpPage = (): ReactNode => {
  const [isSignedUp, setIsSignedUp] = useState(false);
  const client = useQueryClient();
  const router = useRouter();
  const { isSending, failure, send } = useSending();
  const enter = (): void => void router.navigate({ to: '/' });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    const text = (name: string): string => String(sent.get(name) ?? '').trim();
    void send(async () => {
      const password = String(sent.get('password'));
      const { name, email, businessName } = {
        ...{ name: text('name'), email: text('email'), businessName: text('businessName') },
      };
      await callOperation(signUp, { body: { name, email, password, businessName } });
      client.clear();
      if (!hasPasskeys()) return enter();
      setIsSignedUp(true);
    });
  };
  if (isSignedUp) return <PasskeyOffer onDone={enter} />;
  return (
    <PersonShell>
      <PageTitle title="Sign up" says="Your business starts in the sandbox, with test money." />
      <form onSubmit={submit}>
        <Stack>
          <TextInput name="name" label="Your name" autoComplete="name" required maxLength={100} />
          <TextInput name="businessName" label="Business" required maxLength={100} />
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
          <PasswordInput
            name="password"
            label="Password"
            description="At least 10 characters."
            autoComplete="new-password"
            minLength={10}
            required
          />
          {failure && <FailureNotice failure={failure} />}
          <Button type="submit" loading={isSending}>
            Sign up
          </Button>
          <Anchor component={Link} to="/sign-in" underline="always">
            I have signed up before
          </Anchor>
        </Stack>
      </form>
    </PersonShell>
  );
};

const PasskeyOffer = ({ onDone }: { readonly onDone: () => void }): ReactNode => (
  <PersonShell>
    <PageTitle
      title="Add a passkey"
      says="Next time your fingerprint, face or screen lock signs you in. It cannot be phished."
    />
    <Stack>
      <AddPasskey onDone={onDone} />
      <Button variant="default" onClick={onDone}>
        Not now
      </Button>
    </Stack>
  </PersonShell>
);
