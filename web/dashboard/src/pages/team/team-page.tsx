import {
  getMe,
  inviteMember,
  listTeam,
  type Role,
  removeMember,
  roles,
} from '@florin/contract/dashboard/index.ts';
import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useMay } from '../../call/use-me.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { ChangeRole } from './change-role.tsx';
import { InviteLink } from './invite-link.tsx';
import { OpenInvite } from './open-invite.tsx';
import { roleTitles } from './role-titles.ts';

/** Who works here, and who is invited. */
export const TeamPage = (): ReactNode => {
  const { data: team, error, refetch } = useOperation(listTeam);
  const mayChange = useMay('team.write');
  const invite = useAct(inviteMember, { changes: [listTeam] });
  /** A link that no longer works is shown no more. */
  const forget = (inviteId: string): void => {
    if (invite.data?.inviteId === inviteId) invite.reset();
  };
  return (
    <>
      <PageTitle title="Team" says="Who may do what for this business." />
      {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      <Stack>
        <SectionCard title="Members">
          {team?.members.map((member) => (
            <Member key={member.personId} {...member} mayChange={mayChange} />
          ))}
        </SectionCard>
        <SectionCard title="Open invites">
          {team?.invites.length === 0 && <p className="soft">No invite is open.</p>}
          {team?.invites.map((open) => (
            <OpenInvite
              key={open.inviteId}
              {...open}
              mayChange={mayChange}
              onEnded={() => forget(open.inviteId)}
            />
          ))}
          {mayChange && <Invite act={invite} />}
        </SectionCard>
      </Stack>
    </>
  );
};

type MemberProps = {
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly twoFactorEnabled: boolean;
  readonly mayChange: boolean;
};

const Member = (member: MemberProps): ReactNode => {
  const { personId, name, email, role, twoFactorEnabled, mayChange } = member;
  const [isOpen, setIsOpen] = useState(false);
  const remove = useAct(removeMember, { changes: [listTeam, getMe] });
  return (
    <Group justify="space-between">
      <span>
        {name} <span className="soft">{email}</span>, {roleTitles[role]}
        {twoFactorEnabled && <span className="soft">, with an authenticator app</span>}
      </span>
      {mayChange && (
        <Group gap="xs">
          <ChangeRole personId={personId} name={name} role={role} />
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove ${name}`}
            onClick={() => setIsOpen(true)}
          >
            Remove
          </Button>
        </Group>
      )}
      <ConfirmAct
        isOpen={isOpen}
        isDangerous
        title={`Remove ${name}`}
        act={`Remove ${name}`}
        onConfirm={() => remove.mutateAsync({ params: { personId } })}
        onClose={() => setIsOpen(false)}
      >
        <p>{name} loses this business at once, wherever they are signed in.</p>
      </ConfirmAct>
    </Group>
  );
};

type InviteProps = { readonly act: ReturnType<typeof useAct<typeof inviteMember>> };

const Invite = ({ act: invite }: InviteProps): ReactNode => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('cashier');
  const send = (): void => invite.mutate({ body: { email, role } });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send();
  };
  if (invite.error?.needsStepUp) return <StepUp onDone={send} />;
  return (
    <form onSubmit={submit} aria-label="Invite a person">
      <Stack>
        <TextInput
          label="E-mail of the person"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          required
        />
        <NativeSelect
          label="Role"
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
          data={roles.map((each) => ({ value: each, label: roleTitles[each] }))}
        />
        {invite.error && <FailureNotice failure={invite.error} />}
        <Button type="submit" loading={invite.isPending}>
          Make an invite
        </Button>
        {invite.data && <InviteLink {...invite.data} />}
      </Stack>
    </form>
  );
};
