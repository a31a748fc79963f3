import type { BodyOf } from '@florin/contract';
import {
  type CheckoutDraft,
  changeAmountParts,
  changeExpiry,
  changeTips,
  getSettings,
} from '@florin/contract/dashboard/index.ts';
import { Checkbox, Group, NativeSelect, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useOperation } from '../../call/use-operation.ts';
import { NotRead } from '../../parts/failure-notice.tsx';
import { ticking, typing } from '../../parts/fields.ts';
import { PageTitle } from '../../parts/layout.tsx';
import { parsePercent } from '../../parts/numbers.ts';
import { WithPreview } from './checkout-preview.tsx';
import { type DraftFormProps, LookForm } from './look-form.tsx';
import { SaveForm } from './save-form.tsx';
import { type TypedTips, tipsOf, typedTips } from './typed-tips.ts';

/** How the hosted page looks and what it offers. */
export const CheckoutPage = (): ReactNode => {
  const read = useOperation(getSettings);
  const { data: settings } = read;
  const [look, setLook] = useState<CheckoutDraft>({});
  const [tips, setTips] = useState<CheckoutDraft>({});
  const [parts, setParts] = useState<CheckoutDraft>({});
  return (
    <>
      <PageTitle title="Checkout page" says="Logo and colour are the same in both environments." />
      <NotRead of={read} />
      {settings && (
        <WithPreview draft={{ ...look, ...tips, ...parts }}>
          <LookForm settings={settings} onDraft={setLook} />
          <TipsForm settings={settings} onDraft={setTips} />
          <AmountPartsForm settings={settings} onDraft={setParts} />
          <ExpiryForm settings={settings} />
        </WithPreview>
      )}
    </>
  );
};

type Tips = BodyOf<typeof changeTips>;

const numbers = [1, 2, 3] as const;

/** Which tips customers are offered in this environment. */
const TipsForm = ({ settings, onDraft }: DraftFormProps): ReactNode => {
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
      act={save}
      onSave={() => tips && saveTips(tips)}
    >
      <Switch
        label="Ask customers for a tip"
        disabled={!mayWrite}
        {...ticking(shown.enabled, (enabled) => change({ enabled }))}
      />
      <NativeSelect
        label="Quick choices in"
        disabled={!mayWrite}
        data={[
          { value: 'PERCENTAGE', label: 'Percent of the amount' },
          { value: 'FIXED', label: 'Pounds' },
        ]}
        {...typing(shown.tipType, (text) =>
          change({ tipType: text === 'FIXED' ? 'FIXED' : 'PERCENTAGE' }),
        )}
      />
      <Group grow align="start">
        {numbers.map((number, at) => (
          <TextInput
            key={number}
            label={`Choice ${number}`}
            inputMode="decimal"
            disabled={!mayWrite}
            {...typing(shown.options[at] ?? '', (text) =>
              change({ options: shown.options.map((each, other) => (other === at ? text : each)) }),
            )}
          />
        ))}
      </Group>
      {!tips && (
        <p role="alert">
          Enter three different choices:{' '}
          {shown.tipType === 'FIXED' ? 'pounds such as 2.50' : 'whole percents up to 100'}.
        </p>
      )}
      <Checkbox
        label="Customers may enter another amount"
        disabled={!mayWrite}
        {...ticking(shown.allowCustom, (allowCustom) => change({ allowCustom }))}
      />
    </SaveForm>
  );
};

type Typed = { readonly tax: string; readonly service: string };

/** What of an amount is VAT and service. */
const AmountPartsForm = ({ settings, onDraft }: DraftFormProps): ReactNode => {
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
      act={save}
      onSave={() => parts && save.mutate({ body: parts }, { onSuccess: saved })}
    >
      <p className="soft">
        Included in the amounts you request: customers pay nothing extra. Applies to new requests.
      </p>
      <Group grow align="start">
        <TextInput
          label="VAT in percent (optional)"
          inputMode="decimal"
          disabled={!mayWrite}
          {...typing(shown.tax, (tax) => change({ tax }))}
          error={complaintOf(shown.tax)}
        />
        <TextInput
          label="Service in percent (optional)"
          inputMode="decimal"
          disabled={!mayWrite}
          {...typing(shown.service, (service) => change({ service }))}
          error={complaintOf(shown.service)}
        />
      </Group>
    </SaveForm>
  );
};

const partsOf = ({ tax, service }: Typed) => {
  const [taxPoints, servicePoints] = [pointsOf(tax), pointsOf(service)];
  if (taxPoints === null || servicePoints === null) return null;
  return { taxPercentage: taxPoints / 100, servicePercentage: servicePoints / 100 };
};

/** An empty field is none of it. */
const pointsOf = (text: string): number | null => (text.trim() === '' ? 0 : parsePercent(text));

const complaintOf = (text: string): string | null =>
  pointsOf(text) === null ? 'Enter a percentage such as 12.5, at most 100.' : null;

const minute = 60_000;
const lives = [
  { ms: 0, label: 'Three minutes (default)' },
  { ms: 15 * minute, label: '15 minutes' },
  { ms: 60 * minute, label: 'One hour' },
  { ms: 24 * 60 * minute, label: 'One day' },
  { ms: 7 * 24 * 60 * minute, label: 'One week' },
  { ms: 30 * 24 * 60 * minute, label: '30 days' },
] as const;

/** How long requests can be paid whose program names no time. */
const ExpiryForm = ({ settings }: Pick<DraftFormProps, 'settings'>): ReactNode => {
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
      act={save}
      onSave={() =>
        save.mutate(
          { body: { expiresInMs: shown === 0 ? null : shown } },
          { onSuccess: () => setTyped(null) },
        )
      }
    >
      <NativeSelect
        label="A request can be paid for"
        description="When your program does not say how long. Applies to new requests."
        disabled={!mayWrite}
        data={[...lives, ...own].map(({ ms, label }) => ({ value: String(ms), label }))}
        {...typing(String(shown), (text) => setTyped(Number(text)))}
      />
    </SaveForm>
  );
};
