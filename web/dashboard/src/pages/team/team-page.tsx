import type { ReplyOf } from '@florin/contract';
import {
  changeRole,
  getMe,
  inviteMember,
  listTeam,
  type Role,
  removeMember,
  resendInvite,
  roles,
  withdrawInvite,
} from '@florin/contract/dashboard/index.ts';
import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useMe, useOperation } from '../../call/use-operation.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { actsColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice, NotRead } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { PageTitle, SectionCard } from '../../parts/layout.tsx';
import { Badge } from '../../parts/status-badge.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { TablePager } from '../../parts/table-pager.tsx';
import { CopyText, DateText, RealTimes } from '../../parts/texts.tsx';
import { realNow } from '../../parts/times.ts';
import { roleMeanings, roleTitles } from './role-titles.ts';

const pageSize = 50;

/** Who works here, and who is invited. */
export const TeamPage = (): ReactNode => {
  const [page, setPage] = useState(1);
  const query = { page: page - 1, size: pageSize };
  const read = useOperation(listTeam, { query });
  const { data: team } = read;
  const mayChange = useMay('team.write');
  const { data: me } = useMe();
  const invite = useAct(inviteMember, { changes: [listTeam] });
  /** A link that no longer works is shown no more. */
  const forget = (inviteId: string): void => {
    if (invite.data?.inviteId === inviteId) invite.reset();
  };
  return (
    <>
      <PageTitle title="Team" says="Who can do what in this business" />
      <NotRead of={read} />
      <SectionCard title="Members">
        <DataTable<Member>
          isPlain
          name="members"
          caption="Members"
          columns={
            mayChange
              ? [...memberColumns(me?.email), memberActs(me?.email)]
              : memberColumns(me?.email)
          }
          rows={team?.members}
          rowKey={({ personId }) => personId}
          empty={null}
        />
        {team && (
          <TablePager
            {...{ page, size: pageSize, onPage: setPage }}
            total={Math.max(team.memberCount, team.inviteCount)}
            shown={Math.max(team.members.length, team.invites.length)}
          />
        )}
      </SectionCard>
      <SectionCard title="Open invites">
        {team?.invites.length === 0 ? (
          <p className="soft">No open invites.</p>
        ) : (
          <Stack gap="xs">
            <div>
              <RealTimes />
            </div>
            {team?.invites.map((open) => (
              <OpenInvite
                key={open.inviteId}
                {...open}
                mayChange={mayChange}
                onEnded={() => forget(open.inviteId)}
              />
            ))}
          </Stack>
        )}
      </SectionCard>
      {mayChange && (
        <SectionCard title="Invite someone">
          <Invite act={invite} />
        </SectionCard>
      )}
    </>
  );
};

type Member = ReplyOf<typeof listTeam>['members'][number];

const memberColumns = (own: string | undefined): readonly Column<Member>[] => [
  {
    id: 'name',
    title: 'Name',
    isMain: true,
    cell: ({ name, email }) => (
      <>
        {name} {email === own && <Badge>You</Badge>}
      </>
    ),
  },
  { id: 'email', title: 'Email', isObvious: true, cell: ({ email }) => email },
  { id: 'role', title: 'Role', isObvious: true, cell: ({ role }) => roleTitles[role] },
  {
    id: 'second',
    title: 'Second factor',
    cell: (member) =>
      secondFactorOf(member) ?? (
        <>
          <Badge tone={member.role === 'owner' ? 'warn' : 'calm'}>Off</Badge>{' '}
          {member.email === own ? (
            <span className="soft">A password alone signs in</span>
          ) : (
            <a href={askToTurnOn(member)}>Ask to turn it on</a>
          )}
        </>
      ),
  },
];

/** A mail of one's own. */
const askToTurnOn = ({ email }: Member): string =>
  `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(
    'Please turn on a second factor in Florin: Your account, Authenticator app',
  )}`;

/** Null: a password alone signs in, and nothing else is set up. */
const secondFactorOf = ({ twoFactorEnabled, hasPasskey }: Member): string | null => {
  if (twoFactorEnabled) return hasPasskey ? 'Passkey or authenticator app' : 'Authenticator app';
  return hasPasskey ? 'Passkey, or password alone' : null;
};

const memberActs = (own: string | undefined): Column<Member> => ({
  ...actsColumn,
  cell: (member) => <MemberActs {...member} isOwn={member.email === own} />,
});

type MemberActsProps = Member & { readonly isOwn: boolean };

/** The last owner stays: the server refuses. */
const MemberActs = ({ personId, name, role, isOwn }: MemberActsProps): ReactNode => {
  const remove = useAct(removeMember, { changes: [listTeam, getMe] });
  const act = isOwn ? 'Leave this business' : `Remove ${name}`;
  return (
    <Group gap="xs">
      <ChangeRole personId={personId} name={name} role={role} />
      <ActButton
        size="compact-sm"
        says={isOwn ? 'Leave' : 'Remove'}
        label={act}
        isDangerous
        act={act}
        onConfirm={() => remove.mutateAsync({ params: { personId } })}
      >
        <p>{isOwn ? 'You lose' : `${name} loses`} this business at once, on every device.</p>
      </ActButton>
    </Group>
  );
};

type InviteProps = { readonly act: ReturnType<typeof useAct<typeof inviteMember>> };

const Invite = ({ act: invite }: InviteProps): ReactNode => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('cashier');
  const send = (): void => invite.mutate({ body: { email, role } });
  if (invite.error?.needsStepUp) return <StepUp onDone={send} />;
  return (
    <ActForm
      act={invite}
      submit="Send an invite"
      label="Invite someone"
      below={invite.data && <InviteLink {...invite.data} />}
      onSubmit={send}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Email of the person" type="email" required {...typing(email, setEmail)} />
        <RoleField role={role} onChoose={setRole} />
      </SimpleGrid>
    </ActForm>
  );
};

type RoleFieldProps = { readonly role: Role; readonly onChoose: (role: Role) => void };

const RoleField = ({ role, onChoose }: RoleFieldProps): ReactNode => (
  <NativeSelect
    label="Role"
    description={`May ${roleMeanings[role]}.`}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    {...typing(role, (text) => onChoose(text as Role))}
    data={roles.map((each) => ({ value: each, label: roleTitles[each] }))}
  />
);

type ChangeRoleProps = {
  readonly personId: string;
  readonly name: string;
  readonly role: Role;
};

/** Says what a role may do before it is given. */
const ChangeRole = ({ personId, name, role }: ChangeRoleProps): ReactNode => {
  const [chosen, setChosen] = useState(role);
  const change = useAct(changeRole, { changes: [listTeam, getMe] });
  return (
    <ActButton
      size="compact-sm"
      says="Change role"
      label={`Change role of ${name}`}
      title={`Change the role of ${name}`}
      act={`Make ${name} ${roleTitles[chosen].toLowerCase()}`}
      isReady={chosen !== role}
      onConfirm={() => change.mutateAsync({ params: { personId }, body: { role: chosen } })}
      onOpen={() => setChosen(role)}
    >
      <RoleField role={chosen} onChoose={setChosen} />
      <p>It takes effect at once.</p>
    </ActButton>
  );
};

type OpenInviteProps = {
  readonly inviteId: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
  readonly mayChange: boolean;
  /** Links that were shown of it no longer work. */
  readonly onEnded: () => void;
};

const OpenInvite = (invite: OpenInviteProps): ReactNode => {
  const { inviteId, email, role, expiresAt, mayChange, onEnded } = invite;
  const withdraw = useAct(withdrawInvite, { changes: [listTeam] });
  const resend = useAct(resendInvite, { changes: [listTeam] });
  const send = (): void => resend.mutate({ params: { inviteId } }, { onSuccess: onEnded });
  const failure = resend.error?.needsStepUp ? withdraw.error : (resend.error ?? withdraw.error);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <span>
          {email}, {roleTitles[role]}, {new Date(expiresAt) < realNow() ? 'expired' : 'until'}{' '}
          <DateText at={expiresAt} />
        </span>
        {mayChange && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Send again: the invite of ${email}`}
              loading={resend.isPending}
              onClick={send}
            >
              Send again
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              c="var(--bad)"
              aria-label={`Withdraw the invite of ${email}`}
              onClick={() => withdraw.mutate({ params: { inviteId } }, { onSuccess: onEnded })}
            >
              Withdraw
            </Button>
          </Group>
        )}
      </Group>
      {resend.error?.needsStepUp && <StepUp onDone={send} />}
      {failure && <FailureNotice failure={failure} />}
      {resend.data && <InviteLink {...resend.data} />}
    </Stack>
  );
};

type InviteLinkProps = { readonly path: string; readonly isMailed: boolean };

/** What was made of an invite. The link is not shown again. */
const InviteLink = ({ path, isMailed }: InviteLinkProps): ReactNode => (
  <p role="status">
    {isMailed ? 'It was emailed. You can also send' : 'It was not emailed: send'} them this link,
    which is shown this once: <CopyText text={`${location.origin}${path}`} what="link" />
  </p>
);
