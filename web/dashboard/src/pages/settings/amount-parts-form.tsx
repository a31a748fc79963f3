import { changeAmountParts, getSettings } from '@florin/contract/dashboard/index.ts';
import { Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../call/use-me.ts';
import { useAct } from '../../call/use-operation.ts';
import { parsePercent } from '../operator/merchants/detail/parse-percent.ts';
import type { DraftFormProps } from './look-form.tsx';
import { SaveForm } from './save-form.tsx';

type Typed = { readonly tax: string; readonly service: string };

/** What of an amount is VAT and service. */
export const AmountPartsForm = ({ settings, onDraft }: DraftFormProps): ReactNode => {
  const mayWrite = useMay('settings.write');
  const [typed, setTyped] = useState<Typed | null>(null);
  const save = useAct(changeAmountParts, { changes: [getSettings] });
  const { taxPercentage, servicePercentage } = settings.amountParts;
  const shown = typed ?? { tax: String(taxPercentage), service: String(servicePercentage) };
  const parts = partsOf(shown);
  const change = (changes: Partial<Typed>): void => {
    const next = { ...shown, ...changes };
    setTyped(next);
    const changed = partsOf(next);
    if (changed) onDraft({ amountParts: changed });
  };
  const saved = (): void => {
    setTyped(null);
    onDraft({});
  };
  return (
    <SaveForm
      title="VAT and service"
      isChanged={typed !== null}
      isRight={parts !== null}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      failure={save.error}
      onSave={() => parts && save.mutate({ body: parts }, { onSuccess: saved })}
    >
      <p className="soft">
        Parts of the amounts you request: customers pay no more for them. For requests from now on.
      </p>
      <Group grow align="start">
        <TextInput
          label="VAT in percent"
          inputMode="decimal"
          disabled={!mayWrite}
          value={shown.tax}
          error={complaintOf(shown.tax)}
          onChange={({ currentTarget }) => change({ tax: currentTarget.value })}
        />
        <TextInput
          label="Service in percent"
          inputMode="decimal"
          disabled={!mayWrite}
          value={shown.service}
          error={complaintOf(shown.service)}
          onChange={({ currentTarget }) => change({ service: currentTarget.value })}
        />
      </Group>
    </SaveForm>
  );
};

const partsOf = ({ tax, service }: Typed) => {
  const [taxPoints, servicePoints] = [parsePercent(tax), parsePercent(service)];
  if (taxPoints === null || servicePoints === null) return null;
  return { taxPercentage: taxPoints / 100, servicePercentage: servicePoints / 100 };
};

const complaintOf = (text: string): string | null =>
  parsePercent(text) === null ? 'Write a percentage such as 12.5, at most 100.' : null;
