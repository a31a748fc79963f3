import { limits, listStores } from '@florin/contract';
import { createPaymentCode, listPaymentCodes } from '@florin/contract/dashboard/index.ts';
import { Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { parsePounds } from '../../parts/parse-pounds.ts';

const empty = { label: '', kind: 'open', amount: '', min: '', max: '', storeId: '' };

type Form = typeof empty;

/** The body of a form; null while something is missing or no amount. */
const bodyOf = (form: Form) => {
  const label = form.label.trim();
  const pounds = (text: string): number | null => {
    const pence = parsePounds(text);
    return pence === null ? null : pence / 100;
  };
  if (label === '') return null;
  const common = { label, ...(form.storeId && { storeId: form.storeId }) };
  if (form.kind === 'fixed') {
    const amount = pounds(form.amount);
    return amount === null ? null : { ...common, amount };
  }
  const min = form.min === '' ? undefined : pounds(form.min);
  const max = form.max === '' ? undefined : pounds(form.max);
  if (min === null || max === null) return null;
  return {
    ...common,
    ...(min !== undefined && { minAmount: min }),
    ...(max !== undefined && { maxAmount: max }),
  };
};

export const CreateCode = (): ReactNode => {
  const [form, setForm] = useState(empty);
  const create = useAct(createPaymentCode, { changes: [listPaymentCodes] });
  const body = bodyOf(form);
  const change = (changes: Partial<Form>): void => setForm({ ...form, ...changes });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!body || create.isPending) return;
    // What is refused is shown below the fields.
    const made = await create.mutateAsync({ body }).catch(() => null);
    // The next table of the same kind needs its name only.
    if (made) change({ label: '' });
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="md">
        <TextInput
          label="Label"
          required
          placeholder="Table 4"
          maxLength={limits.notesLength}
          value={form.label}
          onChange={({ currentTarget }) => change({ label: currentTarget.value })}
        />
        <NativeSelect
          label="Amount"
          data={[
            { value: 'open', label: 'The payer enters it' },
            { value: 'fixed', label: 'Fixed' },
          ]}
          value={form.kind}
          onChange={({ currentTarget }) => change({ kind: currentTarget.value })}
        />
        <StoreField storeId={form.storeId} onChange={(storeId) => change({ storeId })} />
        {form.kind === 'fixed' ? (
          <Pounds
            label="Amount in pounds"
            placeholder="4.50"
            value={form.amount}
            onChange={(amount) => change({ amount })}
          />
        ) : (
          <>
            <Pounds
              label="Smallest, in pounds"
              placeholder="1.00"
              value={form.min}
              onChange={(min) => change({ min })}
            />
            <Pounds
              label="Largest, in pounds"
              placeholder="Your payment limit"
              value={form.max}
              onChange={(max) => change({ max })}
            />
          </>
        )}
      </SimpleGrid>
      {create.error && <FailureNotice failure={create.error} />}
      <p role="status">{create.data && `The code ${create.data.label} is made.`}</p>
      <Group>
        <Button type="submit" disabled={!body} loading={create.isPending}>
          Make the code
        </Button>
      </Group>
    </form>
  );
};

type PoundsProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const Pounds = ({ label, placeholder, value, onChange }: PoundsProps): ReactNode => (
  <TextInput
    label={label}
    inputMode="decimal"
    placeholder={placeholder}
    value={value}
    error={value !== '' && parsePounds(value) === null && 'Write an amount such as 12.50.'}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

type StoreFieldProps = {
  readonly storeId: string;
  readonly onChange: (storeId: string) => void;
};

/** Only where there is a choice. */
const StoreField = ({ storeId, onChange }: StoreFieldProps): ReactNode => {
  const { data } = useOperation(listStores, { query: { page: 0, size: limits.pageSizeMax } });
  const stores = data?.data.filter(({ enabled }) => enabled) ?? [];
  if (stores.length < 2) return null;
  const choices = stores.map(({ id, locationName }) => ({ value: id, label: locationName }));
  return (
    <NativeSelect
      label="Store"
      data={[{ value: '', label: 'The primary store' }, ...choices]}
      value={storeId}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
};
