import {
  createCustomer,
  deleteCustomer,
  getCustomer,
  limits,
  listCustomers,
  type ReplyOf,
  updateCustomer,
} from '@florin/contract';
import { Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress } from '../call/use-operation.ts';
import { ActButton } from '../parts/confirm-act.tsx';
import { typing, useTyped } from '../parts/fields.ts';

type Customer = ReplyOf<typeof getCustomer>;

const nobody = {
  ...{ fullName: '', email: '', phoneCountryCode: '', phoneNumber: '', type: 'INDIVIDUAL' },
  ...{ address: '', city: '', postcode: '', vatNumber: '' },
};
type Typed = typeof nobody;

const typedOf = (customer: Customer): Typed => {
  const given = Object.entries(customer).filter(
    ([name, value]) => name in nobody && value !== null,
  );
  return { ...nobody, ...Object.fromEntries(given) };
};

/** As people write a telephone number: +44 (0)7700 900-123. */
const digitsOf = (phone: string): string => phone.replace(/\(0\)|[\s+().-]/g, '');

/** What is left empty is none: null takes a value away. */
const bodyOf = ({ fullName, type, phoneCountryCode, phoneNumber, ...texts }: Typed) => {
  const none = (text: string): string | null => text.trim() || null;
  return {
    fullName: fullName.trim(),
    type: type === 'BUSINESS' ? ('BUSINESS' as const) : ('INDIVIDUAL' as const),
    phoneCountryCode: none(digitsOf(phoneCountryCode)),
    phoneNumber: none(digitsOf(phoneNumber)),
    email: none(texts.email),
    address: none(texts.address),
    city: none(texts.city),
    postcode: none(texts.postcode),
    vatNumber: none(texts.vatNumber.replace(/\s/g, '').toUpperCase()),
  };
};

/** Only what was changed: a person's VAT number is stored and not shown, and another may edit meanwhile. */
const changesOf = (typed: Typed, before: Typed): Partial<ReturnType<typeof bodyOf>> => {
  const old: Readonly<Record<string, unknown>> = bodyOf(before);
  const changed = Object.entries(bodyOf(typed)).filter(([name, value]) => value !== old[name]);
  return Object.fromEntries(changed);
};

const kinds = [
  { value: 'INDIVIDUAL', label: 'Person' },
  { value: 'BUSINESS', label: 'Business' },
];

const useCustomerForm = (atFirst: Typed) => {
  const { typed, type, begin } = useTyped(atFirst);
  const [begun, setBegun] = useState(atFirst);
  const text = (name: keyof Typed, label: string, maxLength: number) => (
    <TextInput
      {...{ label, maxLength }}
      {...typing(typed[name], (next) => type({ [name]: next }))}
    />
  );
  const isReachable = typed.email.trim() !== '' || digitsOf(typed.phoneNumber) !== '';
  return {
    begin: () => {
      begin();
      setBegun(atFirst);
    },
    typed,
    begun,
    isReady: typed.fullName.trim().length >= limits.fullNameLengthMin && isReachable,
    fields: (
      <Stack gap="sm">
        {text('fullName', 'Name', limits.fullNameLengthMax)}
        {text('email', 'Email', limits.emailLength)}
        <Group grow preventGrowOverflow={false} gap="sm">
          {text('phoneCountryCode', 'Country code (optional)', 8)}
          {text('phoneNumber', 'Phone', 24)}
        </Group>
        <p className="soft">An email address or a phone number is needed.</p>
        <NativeSelect
          label="Kind"
          data={kinds}
          {...typing(typed.type, (next) => type({ type: next }))}
        />
        {typed.type === 'BUSINESS' && text('vatNumber', 'VAT number (optional)', 16)}
        {text('address', 'Address (optional)', limits.addressLength)}
        <Group grow gap="sm">
          {text('city', 'City (optional)', limits.cityLength)}
          {text('postcode', 'Postcode (optional)', limits.postcodeLengthMax)}
        </Group>
      </Stack>
    ),
  };
};

/** A card can be saved by them afterwards, on the page of a payment. */
export const NewCustomer = (): ReactNode => {
  const address = useAddress();
  const navigate = useNavigate();
  const create = useAct(createCustomer, { changes: [listCustomers] });
  const form = useCustomerForm(nobody);
  return (
    <ActButton
      says="New customer"
      variant="filled"
      act="Add customer"
      title="New customer"
      isReady={form.isReady}
      onOpen={form.begin}
      onConfirm={async () => {
        const { id } = await create.mutateAsync({ body: bodyOf(form.typed) });
        void navigate({ to: address(`customers/${id}`) });
      }}
    >
      {form.fields}
    </ActButton>
  );
};

export const EditCustomer = ({ customer }: { readonly customer: Customer }): ReactNode => {
  const save = useAct(updateCustomer, { changes: [getCustomer, listCustomers] });
  const form = useCustomerForm(typedOf(customer));
  return (
    <ActButton
      size="compact-sm"
      says="Edit"
      act="Save"
      title={`Edit ${customer.fullName}`}
      isReady={form.isReady}
      onOpen={form.begin}
      onConfirm={() =>
        save.mutateAsync({
          params: { customerId: customer.id },
          body: changesOf(form.typed, form.begun),
        })
      }
    >
      {form.fields}
    </ActButton>
  );
};

export const DeleteCustomer = ({ customer }: { readonly customer: Customer }): ReactNode => {
  const address = useAddress();
  const navigate = useNavigate();
  const remove = useAct(deleteCustomer, { changes: [listCustomers] });
  const { id, fullName } = customer;
  return (
    <ActButton
      size="compact-sm"
      says="Delete"
      act={`Delete ${fullName}`}
      isDangerous
      onConfirm={async () => {
        await remove.mutateAsync({ params: { customerId: id } });
        void navigate({ to: address('customers') });
      }}
    >
      <p>
        Saved cards are deleted too, and can no longer be charged. Payments and refunds stay, with
        their amounts; what they say about {fullName} is erased. This cannot be undone.
      </p>
    </ActButton>
  );
};
