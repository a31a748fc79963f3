import {
  acceptInvite,
  acceptInviteAsNew,
  readInvite,
  signIn,
} from '@florin/contract/dashboard/index.ts';
import { PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useOperation, useSending } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';
import { useLinkToken } from '../sign-in/link-token.ts';
import { roleTitles } from './role-titles.ts';

/** A new person chooses a password; one who has signed up before signs in with theirs. */
export const AcceptInvitePage = (): ReactNode => {
  const token = useLinkToken();
  const { data: invite, error } = useOperation(readInvite, { body: { token } });
  const router = useRouter();
  const client = useQueryClient();
  const act = useSending();
  const submit = (typed: (name: string) => string): void => {
    const [name, password] = [typed('name'), typed('password')];
    void act.send(async () => {
      if (!invite) return;
      const body = { email: invite.email, password };
      if (!invite.isKnown)
        await callOperation(acceptInviteAsNew, { body: { token, name: name.trim(), password } });
      await callOperation(signIn, { body });
      if (invite.isKnown) await callOperation(acceptInvite, { body: { token } }, { tenant: null });
      // The invite itself is taken: read again, it is missing.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== readInvite.id });
      await router.navigate({ to: '/' });
    });
  };
  if (error)
    return (
      <PersonShell>
        <PageTitle title="This invite is no longer open" />
        <FailureNotice failure={error} />
      </PersonShell>
    );
  if (!invite) return <PersonShell>{null}</PersonShell>;
  return (
    <PersonShell>
      <PageTitle
        title={`Join ${invite.businessName}`}
        says={`As ${roleTitles[invite.role].toLowerCase()}, with the address ${invite.email}.`}
      />
      <ActForm act={act} submit="Join" onSubmit={submit}>
        {!invite.isKnown && (
          <TextInput name="name" label="Your name" autoComplete="name" required maxLength={100} />
        )}
        <PasswordInput
          name="password"
          label={invite.isKnown ? 'Your password' : 'Choose a password'}
          description={invite.isKnown ? null : 'At least 10 characters.'}
          autoComplete={invite.isKnown ? 'current-password' : 'new-password'}
          required
        />
      </ActForm>
    </PersonShell>
  );
};
