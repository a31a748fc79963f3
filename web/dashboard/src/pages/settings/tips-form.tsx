import type { BodyOf } from '@florin/contract';
import { changeTips, getSettings } from '@florin/contract/dashboard/index.ts';
import { Checkbox, Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../call/use-me.ts';
import { useAct } from '../../call/use-operation.ts';
import type { DraftFormProps } from './look-form.tsx';
import { SaveForm } from './save-form.tsx';
import { type TypedTips, tipsOf, typedTips } from './typed-tips.ts';

type Tips = BodyOf<typeof changeTips>;

const numbers = [1, 2, 3] as const;

/** Which tips customers are offered in this environment. */
export const TipsForm = ({ settings, onDraft }: DraftFormProps): ReactNode => {
  const mayWrite = useMay('settings.write');
  const [typed, setTyped] = useState<TypedTips | null>(null);
  const save = useAct(changeTips, { changes: [getSettings] });
  const shown = typed ?? typedTips(settings.tips);
  const tips = tipsOf(shown);
  const change = (changes: Partial<TypedTips>): void => {
    const next = { ...shown, ...changes };
    setTyped(next);
    const changed = tipsOf(next);
    if (changed) onDraft({ tips: changed });
  };
  const saveTips = (body: Tips): void =>
    save.mutate(
      { body },
      {
        onSuccess: () => {
          setTyped(null);
          onDraft({});
        },
      },
    );
  return (
    <SaveForm
      title="Tips"
      isChanged={typed !== null}
      isRight={tips !== null}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      failure={save.error}
      onSave={() => tips && saveTips(tips)}
    >
      <Switch
        label="Ask customers for a tip"
        disabled={!mayWrite}
        checked={shown.enabled}
        onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
      />
      <NativeSelect
        label="Quick choices in"
        disabled={!mayWrite}
        data={[
          { value: 'PERCENTAGE', label: 'Percent of the amount' },
          { value: 'FIXED', label: 'Pounds' },
        ]}
        value={shown.tipType}
        onChange={({ currentTarget }) =>
          change({ tipType: currentTarget.value === 'FIXED' ? 'FIXED' : 'PERCENTAGE' })
        }
      />
      <Group grow align="start">
        {numbers.map((number, at) => (
          <TextInput
            key={number}
            label={`Choice ${number}`}
            inputMode="decimal"
            disabled={!mayWrite}
            value={shown.options[at] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ options: shown.options.map((each, other) => (other === at ? value : each)) })
            }
          />
        ))}
      </Group>
      {!tips && (
        <p role="alert">
          Write three different choices:{' '}
          {shown.tipType === 'FIXED' ? 'pounds such as 2.50' : 'whole percents up to 100'}.
        </p>
      )}
      <Checkbox
        label="Customers may enter another amount"
        disabled={!mayWrite}
        checked={shown.allowCustom}
        onChange={({ currentTarget }) => change({ allowCustom: currentTarget.checked })}
      />
    </SaveForm>
  );
};
