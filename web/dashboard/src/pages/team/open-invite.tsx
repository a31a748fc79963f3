import {
  listTeam,
  type Role,
  resendInvite,
  withdrawInvite,
} from '@florin/contract/dashboard/index.ts';
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { DateText } from '../../parts/date-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { InviteLink } from './invite-link.tsx';
import { roleTitles } from './role-titles.ts';

type OpenInviteProps = {
  readonly inviteId: string;
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
  readonly mayChange: boolean;
  /** Links that were shown of it no longer work. */
  readonly onEnded: () => void;
};

export const OpenInvite = (invite: OpenInviteProps): ReactNode => {
  const { inviteId, email, role, expiresAt, mayChange, onEnded } = invite;
  const withdraw = useAct(withdrawInvite, { changes: [listTeam] });
  const resend = useAct(resendInvite, { changes: [listTeam] });
  const send = (): void => resend.mutate({ params: { inviteId } }, { onSuccess: onEnded });
  const failure = resend.error?.needsStepUp ? withdraw.error : (resend.error ?? withdraw.error);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <span>
          {email}, {roleTitles[role]}, until <DateText at={expiresAt} />
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
