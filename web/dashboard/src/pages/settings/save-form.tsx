import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useMay } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SectionCard } from '../../parts/layout.tsx';

type SaveFormProps = {
  readonly title: string;
  readonly children: ReactNode;
  /** Something is typed that is not saved. */
  readonly isChanged: boolean;
  readonly isRight?: boolean;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  readonly failure: Error | null;
  readonly onSave: () => void;
};

/** Settings that are saved together. Who may only read them sees them. */
export const SaveForm = (props: SaveFormProps): ReactNode => {
  const { title, children, isChanged, isRight = true, isSaving, isSaved, failure, onSave } = props;
  const mayWrite = useMay('settings.write');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged && isRight && !isSaving) onSave();
  };
  return (
    <SectionCard title={title}>
      <form onSubmit={submit} aria-label={title}>
        <Stack>
          {children}
          {failure && <FailureNotice failure={failure} />}
          {mayWrite && (
            <Group>
              <Button type="submit" disabled={!isChanged || !isRight} loading={isSaving}>
                Save
              </Button>
              <span role="status" className="soft">
                {isSaved && !isChanged ? 'Saved.' : ''}
              </span>
            </Group>
          )}
        </Stack>
      </form>
    </SectionCard>
  );
};
