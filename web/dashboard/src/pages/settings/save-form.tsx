import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useMay } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SectionCard } from '../../parts/layout.tsx';

type SentAct = {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: Error | null;
};

type SaveFormProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** Something is typed that is not saved. */
  readonly isChanged: boolean;
  readonly isRight?: boolean;
  readonly act: SentAct;
  readonly onSave: () => void;
};

/** Settings that are saved together. Who may only read them sees them. */
export const SaveForm = (props: SaveFormProps): ReactNode => {
  const { title, children, isChanged, isRight = true, act, onSave } = props;
  const mayWrite = useMay('settings.write');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged && isRight && !act.isPending) onSave();
  };
  return (
    <SectionCard title={title}>
      <form onSubmit={submit} aria-label={title}>
        <Stack>
          {children}
          {act.error && <FailureNotice failure={act.error} />}
          {mayWrite && (
            <Group>
              <Button type="submit" disabled={!isChanged || !isRight} loading={act.isPending}>
                Save
              </Button>
              <span role="status" className="soft">
                {act.isSuccess && !isChanged ? 'Saved.' : ''}
              </span>
            </Group>
          )}
        </Stack>
      </form>
    </SectionCard>
  );
};
