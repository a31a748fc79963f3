import { changePassword, listSessions } from '@florin/contract/dashboard/index.ts';
import { Button, PasswordInput, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SectionCard } from '../../parts/section-card.tsx';

/** The old one confirms who asks for it. */
export const ChangePassword = (): ReactNode => {
  const change = useAct(changePassword, { changes: [listSessions] });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const sent = new FormData(form);
    const [currentPassword, newPassword] = ['currentPassword', 'newPassword'].map((name) =>
      String(sent.get(name)),
    ) as [string, string];
    change.mutate({ body: { currentPassword, newPassword } }, { onSuccess: () => form.reset() });
  };
  return (
    <SectionCard title="Password">
      <form onSubmit={submit} aria-label="Change the password">
        <Stack>
          <PasswordInput
            name="currentPassword"
            label="Your password now"
            autoComplete="current-password"
            required
          />
          <PasswordInput
            name="newPassword"
            label="New password"
            description="At least 10 characters. Every other session ends."
            autoComplete="new-password"
            minLength={10}
            required
          />
          {change.error && <FailureNotice failure={change.error} />}
          {change.isSuccess && (
            <p role="status">Your password is changed, and every other session has ended.</p>
          )}
          <Button type="submit" variant="default" loading={change.isPending}>
            Change the password
          </Button>
        </Stack>
      </form>
    </SectionCard>
  );
};
