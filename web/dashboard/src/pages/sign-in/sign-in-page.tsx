import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { PersonShell } from '../../shell/person-shell.tsx';
import { signIn } from './sign-in.ts';

/** Back to the page that required it. */
export const SignInPage = (): ReactNode => {
  const { next } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const client = useQueryClient();
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const sent = new FormData(event.currentTarget);
    setIsSending(true);
    setFailure(null);
    try {
      await signIn(String(sent.get('email')), String(sent.get('password')));
      client.clear();
      await router.navigate({ href: safeNext(next) });
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setIsSending(false);
    }
  };
  return (
    <PersonShell>
      <PageTitle title="Sign in" />
      <form onSubmit={submit}>
        <Stack>
          <TextInput name="email" type="email" label="E-mail" autoComplete="username" required />
          <PasswordInput
            name="password"
            label="Password"
            autoComplete="current-password"
            required
          />
          {failure && <FailureNotice failure={failure} />}
          <Button type="submit" loading={isSending}>
            Sign in
          </Button>
        </Stack>
      </form>
    </PersonShell>
  );
};

/** Only to a page of our own: what follows one slash, never another host. */
const safeNext = (next: string | undefined): string =>
  next && /^\/(?![/\\])/.test(next) ? next : '/';
