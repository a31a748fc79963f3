import {
  readSignIn,
  signIn,
  signInWithCode,
  signInWithPasskey,
  startPasskeySignIn,
} from '@florin/contract/dashboard/index.ts';
import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { getPasskey, hasPasskeys } from '../../call/passkeys.ts';
import { useOperation, useSending } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { useFocusOnShow } from '../../parts/focus-page.ts';
import { PageTitle } from '../../parts/layout.tsx';
import { inAddress, useFilters } from '../../parts/use-filters.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';

/** Back to the page that required it. */
export const SignInPage = (): ReactNode => {
  const { next } = useFilters({ next: inAddress.longText }).filters;
  const router = useRouter();
  const client = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const act = useSending();
  const enter = async (): Promise<void> => {
    client.clear();
    await router.navigate({ href: safeNext(next) });
  };
  const submit = (typed: (name: string) => string): void =>
    void act.send(async () => {
      if (needsCode) {
        await callOperation(signInWithCode, { body: { code: typed('code').trim() } });
        return enter();
      }
      const body = { email: typed('email').trim(), password: typed('password') };
      const { codeRequired } = await callOperation(signIn, { body });
      return codeRequired ? setNeedsCode(true) : enter();
    });
  const signInByPasskey = (): void =>
    void act.send(async () => {
      const { options } = await callOperation(startPasskeySignIn);
      await callOperation(signInWithPasskey, { body: { response: await getPasskey(options) } });
      await enter();
    });
  return (
    <PersonShell>
      <PageTitle title={needsCode ? 'Enter your code' : 'Sign in'} />
      <ActForm
        key={String(needsCode)}
        act={act}
        submit={needsCode ? 'Go on' : 'Sign in'}
        onSubmit={submit}
      >
        {needsCode ? <CodeField /> : <PasswordFields />}
      </ActForm>
      {!needsCode && <OtherWays onPasskey={signInByPasskey} isSending={act.isPending} />}
    </PersonShell>
  );
};

const PasswordFields = (): ReactNode => (
  <>
    <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
    <PasswordInput name="password" label="Password" autoComplete="current-password" required />
  </>
);

const CodeField = (): ReactNode => (
  <TextInput
    name="code"
    label="Code of your authenticator app"
    description="Or one of your recovery codes."
    autoComplete="one-time-code"
    ref={useFocusOnShow()}
    required
  />
);

type OtherWaysProps = { readonly onPasskey: () => void; readonly isSending: boolean };

const OtherWays = ({ onPasskey, isSending }: OtherWaysProps): ReactNode => {
  const { data } = useOperation(readSignIn);
  return (
    <Stack mt="md">
      <Anchor component={Link} to="/forgotten-password" underline="always">
        I have forgotten my password
      </Anchor>
      {hasPasskeys() && (
        <Button variant="default" onClick={onPasskey} disabled={isSending}>
          Sign in with a passkey
        </Button>
      )}
      {data?.openSignUp && (
        <p>
          New here?{' '}
          <Anchor component={Link} to="/sign-up" underline="always">
            Sign up
          </Anchor>
        </p>
      )}
    </Stack>
  );
};

/** Only to a page of our own: what follows one slash, never another host. */
const safeNext = (next: string | undefined): string =>
  next && /^\/(?![/\\])/.test(next) ? next : '/';
