import { changeExpiry, getSettings } from '@florin/contract/dashboard/index.ts';
import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../call/use-me.ts';
import { useAct } from '../../call/use-operation.ts';
import type { DraftFormProps } from './look-form.tsx';
import { SaveForm } from './save-form.tsx';

const minute = 60_000;
const lives = [
  { ms: 0, label: 'Three minutes, as for all' },
  { ms: 15 * minute, label: '15 minutes' },
  { ms: 60 * minute, label: 'One hour' },
  { ms: 24 * 60 * minute, label: 'One day' },
  { ms: 7 * 24 * 60 * minute, label: 'One week' },
  { ms: 30 * 24 * 60 * minute, label: '30 days' },
] as const;

/** How long requests can be paid whose program names no time. */
export const ExpiryForm = ({ settings }: Pick<DraftFormProps, 'settings'>): ReactNode => {
  const mayWrite = useMay('settings.write');
  const [typed, setTyped] = useState<number | null>(null);
  const save = useAct(changeExpiry, { changes: [getSettings] });
  const set = settings.expiresInMs ?? 0;
  const shown = typed ?? set;
  const isListed = lives.some(({ ms }) => ms === set);
  const own = isListed ? [] : [{ ms: set, label: `${Math.round(set / minute)} minutes` }];
  return (
    <SaveForm
      title="Time to pay"
      isChanged={typed !== null && typed !== set}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      failure={save.error}
      onSave={() =>
        save.mutate(
          { body: { expiresInMs: shown === 0 ? null : shown } },
          { onSuccess: () => setTyped(null) },
        )
      }
    >
      <NativeSelect
        label="A request can be paid for"
        description="Where your program does not say how long. For requests from now on."
        disabled={!mayWrite}
        data={[...lives, ...own].map(({ ms, label }) => ({ value: String(ms), label }))}
        value={String(shown)}
        onChange={({ currentTarget }) => setTyped(Number(currentTarget.value))}
      />
    </SaveForm>
  );
};
