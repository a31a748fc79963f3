import { limits, listStores, requestPayment } from '@florin/contract';
import { listPaymentLinks } from '@florin/contract/dashboard/index.ts';
import { Button, Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { parsePounds } from '../../parts/parse-pounds.ts';
import { writePounds } from '../../parts/write-pounds.ts';
import { emptyForm, type LinkForm, lives, methods, requestOf } from './link-form.ts';

type CreateLinkProps = { readonly onMade: (paymentRequestId: string) => void };

export const CreateLink = ({ onMade }: CreateLinkProps): ReactNode => {
  const [form, setForm] = useState(emptyForm);
  const create = useAct(requestPayment, { changes: [listPaymentLinks] });
  const body = requestOf(form);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!body || create.isPending) return;
    // What is refused is shown below the fields.
    const made = await create.mutateAsync({ body }).catch(() => null);
    if (!made) return;
    setForm(emptyForm);
    onMade(made.paymentRequestId);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <LinkFields form={form} onChange={(changes) => setForm({ ...form, ...changes })} />
      {create.error && <FailureNotice failure={create.error} />}
      <Group mt="md">
        <Button type="submit" disabled={!body} loading={create.isPending}>
          {body ? `Create a link for ${writePounds(Number(body.amount))}` : 'Create a link'}
        </Button>
      </Group>
    </form>
  );
};

type LinkFieldsProps = {
  readonly form: LinkForm;
  readonly onChange: (changes: Partial<LinkForm>) => void;
};

const LinkFields = ({ form, onChange }: LinkFieldsProps): ReactNode => {
  const isWrong = form.amount !== '' && !parsePounds(form.amount);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="md">
        <TextInput
          label="Amount in pounds"
          required
          inputMode="decimal"
          placeholder="12.50"
          value={form.amount}
          error={isWrong && 'Write an amount such as 12.50.'}
          onChange={({ currentTarget }) => onChange({ amount: currentTarget.value })}
        />
        <TextInput
          label="Order"
          required
          maxLength={limits.referenceLength}
          placeholder="INV-1042"
          value={form.orderId}
          onChange={({ currentTarget }) => onChange({ orderId: currentTarget.value })}
        />
        <TextInput
          label="Your customer id"
          placeholder="The order, if left empty"
          maxLength={limits.referenceLength}
          value={form.customerId}
          onChange={({ currentTarget }) => onChange({ customerId: currentTarget.value })}
        />
        <TextInput
          label="Notes"
          placeholder="The customer sees them"
          maxLength={limits.notesLength}
          value={form.notes}
          onChange={({ currentTarget }) => onChange({ notes: currentTarget.value })}
        />
        <NativeSelect
          label="Can be paid for"
          data={lives.map(({ value, label }) => ({ value, label }))}
          value={form.life}
          onChange={({ currentTarget }) => onChange({ life: currentTarget.value })}
        />
        <NativeSelect
          label="Paid by"
          data={methods.map((each) => ({ ...each }))}
          value={form.method}
          onChange={({ currentTarget }) => onChange({ method: currentTarget.value })}
        />
        <StoreField form={form} onChange={onChange} />
      </SimpleGrid>
      <Group gap="lg">
        <Checkbox
          label="Offer tips, as set for the business"
          checked={form.tips}
          onChange={({ currentTarget }) => onChange({ tips: currentTarget.checked })}
        />
        <Checkbox
          label="Several people may share it"
          checked={form.split}
          onChange={({ currentTarget }) => onChange({ split: currentTarget.checked })}
        />
      </Group>
    </>
  );
};

/** Only where there is a choice. */
const StoreField = ({ form, onChange }: LinkFieldsProps): ReactNode => {
  const { data } = useOperation(listStores, { query: { page: 0, size: limits.storesPageSize } });
  const stores = data?.data.filter(({ enabled }) => enabled) ?? [];
  if (stores.length < 2) return null;
  const choices = stores.map(({ id, locationName }) => ({ value: id, label: locationName }));
  return (
    <NativeSelect
      label="Store"
      data={[{ value: '', label: 'The primary store' }, ...choices]}
      value={form.storeId}
      onChange={({ currentTarget }) => onChange({ storeId: currentTarget.value })}
    />
  );
};
