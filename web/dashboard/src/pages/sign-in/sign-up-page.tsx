import { signUp } from '@florin/contract/dashboard/index.ts';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { hasPasskeys } from '../../call/passkeys.ts';
import { signInAddress } from '../../call/session.ts';
import { useSending } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { focusAtFirst } from '../../parts/fields.ts';
import { PageTitle } from '../../parts/layout.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';
import { AddPasskey } from '../account/add-passkey.tsx';

/** A person with a business of their own in the sandbox; then a passkey is offered. */
export const SignUpPage = (): ReactNode => {
  const [isSignedUp, setIsSignedUp] = useState(false);
  const client = useQueryClient();
  const router = useRouter();
  const act = useSending();
  const enter = (): void => void router.navigate({ to: '/' });
  const submit = (typed: (name: string) => string): void =>
    void act.send(async () => {
      const [name, email] = [typed('name').trim(), typed('email').trim()];
      const businessName = typed('businessName').trim();
      await callOperation(signUp, {
        body: { name, email, password: typed('password'), businessName },
      });
      client.clear();
      if (!hasPasskeys()) return enter();
      setIsSignedUp(true);
    });
  if (isSignedUp) return <PasskeyOffer onDone={enter} />;
  return (
    <PersonShell>
      <PageTitle title="Sign up" says="Your business starts in the sandbox, with test money." />
      <ActForm
        act={act}
        submit="Sign up"
        below={
          <Anchor href={signInAddress} underline="always" size="sm">
            Already have an account? Sign in
          </Anchor>
        }
        onSubmit={submit}
      >
        <TextInput
          name="name"
          label="Your name"
          autoComplete="name"
          required
          maxLength={100}
          ref={focusAtFirst}
        />
        <TextInput name="businessName" label="Business" required maxLength={100} />
        <TextInput name="email" type="email" label="Email" autoComplete="username" required />
        <PasswordInput
          name="password"
          label="Password"
          description="At least 10 characters."
          autoComplete="new-password"
          minLength={10}
          required
        />
      </ActForm>
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
