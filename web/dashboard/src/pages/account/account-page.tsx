import {
  changePassword,
  listPasskeys,
  listSessions,
  removePasskey,
  revokeOtherSessions,
  revokeSession,
} from '@florin/contract/dashboard/index.ts';
import { Anchor, Group, PasswordInput, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hasPasskeys } from '../../call/passkeys.ts';
import { useAct, useMe, useOperation } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle, SectionCard } from '../../parts/layout.tsx';
import { DateText } from '../../parts/texts.tsx';
import { ProveAddress } from '../../shell/prove-address.tsx';
import { PersonShell } from '../../shell/shell-frame.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { Authenticator } from './authenticator.tsx';

/** How the person signs in, and where they are signed in. */
export const AccountPage = (): ReactNode => {
  const { data: me, error } = useMe();
  const { data: passkeys } = useOperation(listPasskeys);
  const back = (
    <Anchor component={Link} to="/" underline="always">
      Back to the dashboard
    </Anchor>
  );
  return (
    <PersonShell isWide>
      <PageTitle title="Your sign-in" above={back} says={me ? `${me.name}, ${me.email}` : null} />
      {error && <FailureNotice failure={error} />}
      {me && !me.emailVerified && <ProveAddress me={me} />}
      <Stack>
        <Passkeys />
        {me && (
          <Authenticator
            isOn={me.twoFactorEnabled}
            hasPasskey={passkeys !== undefined && passkeys.data.length > 0}
          />
        )}
        <ChangePassword />
        <Sessions />
      </Stack>
    </PersonShell>
  );
};

const Passkeys = (): ReactNode => {
  const { data } = useOperation(listPasskeys);
  return (
    <SectionCard title="Passkeys">
      <p className="soft">
        {data?.data.length === 0 ? 'You have no passkey yet. ' : ''}A passkey signs you in alone:
        your device checks that it is you, so it counts as a second factor.
      </p>
      {data?.data.map((passkey) => (
        <Passkey key={passkey.passkeyId} {...passkey} />
      ))}
      {hasPasskeys() && <AddPasskey onDone={() => undefined} />}
    </SectionCard>
  );
};

type PasskeyProps = {
  readonly passkeyId: string;
  readonly name: string | null;
  readonly createdAt: string;
};

const Passkey = ({ passkeyId, name, createdAt }: PasskeyProps): ReactNode => {
  const remove = useAct(removePasskey, { changes: [listPasskeys] });
  const shown = name ?? 'Passkey';
  return (
    <Group justify="space-between">
      <span>
        {shown}, added <DateText at={createdAt} />
      </span>
      <ActButton
        size="compact-sm"
        says="Remove"
        label={`Remove ${shown}`}
        isDangerous
        act={`Remove ${shown}`}
        onConfirm={() => remove.mutateAsync({ params: { passkeyId } })}
      >
        <p>You can no longer sign in with it. Sessions already open stay open.</p>
      </ActButton>
    </Group>
  );
};

const Sessions = (): ReactNode => {
  const { data, error } = useOperation(listSessions);
  const end = useAct(revokeSession, { changes: [listSessions] });
  const endOthers = useAct(revokeOtherSessions, { changes: [listSessions] });
  const others = data?.data.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <SectionCard
      title="Where you are signed in"
      acts={
        others.length > 0 && (
          <ActButton
            size="compact-sm"
            says="Sign out elsewhere"
            act="Sign out elsewhere"
            onConfirm={() => endOthers.mutateAsync({})}
          >
            <p>Every other browser will have to sign in again.</p>
          </ActButton>
        )
      }
    >
      {error && <FailureNotice failure={error} />}
      {data?.data.map(({ sessionId, isCurrent, createdAt, address, userAgent }) => (
        <Group key={sessionId} justify="space-between" wrap="nowrap">
          <span>
            {isCurrent ? 'This browser' : (userAgent ?? 'A browser').slice(0, 60)}
            <span className="soft">
              {' '}
              {address ?? ''} since <DateText at={createdAt} />
            </span>
          </span>
          {!isCurrent && (
            <ActButton
              size="compact-sm"
              says="Sign out"
              act="Sign out this browser"
              onConfirm={() => end.mutateAsync({ params: { sessionId } })}
            >
              <p>Whoever uses it will have to sign in again.</p>
            </ActButton>
          )}
        </Group>
      ))}
    </SectionCard>
  );
};

/** The old one confirms who asks for it. */
const ChangePassword = (): ReactNode => {
  const change = useAct(changePassword, { changes: [listSessions] });
  const submit = (typed: (name: string) => string, form: HTMLFormElement): void => {
    const body = {
      currentPassword: typed('currentPassword'),
      newPassword: typed('newPassword'),
    };
    change.mutate({ body }, { onSuccess: () => form.reset() });
  };
  return (
    <SectionCard title="Password">
      <ActForm
        act={change}
        submit="Change the password"
        label="Change the password"
        variant="default"
        said={
          change.isSuccess && (
            <p role="status">Your password has been changed, and every other session has ended.</p>
          )
        }
        onSubmit={submit}
      >
        <PasswordInput
          name="currentPassword"
          label="Your password now"
          autoComplete="current-password"
          required
        />
        <PasswordInput
          name="newPassword"
          label="New password"
          description="At least 10 characters. Every other session will end."
          autoComplete="new-password"
          minLength={10}
          required
        />
      </ActForm>
    </SectionCard>
  );
};
