import { createMerchantStore, limits, listMerchantStores, type ReplyOf } from '@florin/contract';
import { Fieldset, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import {
  type BankAccount,
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from '../../../parts/bank-account-fields.tsx';
import { ActButton } from '../../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { typing } from '../../../parts/fields.ts';
import { SectionCard } from '../../../parts/layout.tsx';
import { storeNameAt } from '../../../parts/store-name.ts';
import type { Operated } from './merchant-page.tsx';

type Store = ReplyOf<typeof listMerchantStores>['data'][number];

const pageSize = 25;

const columnsOf = (businessName: string): readonly Column<Store>[] => [
  {
    id: 'name',
    title: 'Store',
    isMain: true,
    cell: ({ locationName }) => storeNameAt(businessName, locationName),
  },
  { id: 'primary', title: 'Primary', cell: ({ primary }) => (primary ? 'Yes' : 'No') },
  { id: 'city', title: 'City', cell: ({ cityOrTown }) => cityOrTown },
  { id: 'id', title: 'Store id', copied: ({ id }) => id },
];

export const MerchantStores = ({ of }: { readonly of: Operated }): ReactNode => {
  const [page, setPage] = useState(1);
  const found = useOperation(listMerchantStores, {
    params: of,
    query: { page: page - 1, size: pageSize },
  });
  return (
    <SectionCard title="Stores" acts={<CreateStore of={of} />}>
      <DataTable<Store>
        isPlain
        name="stores"
        caption="Stores, the newest first"
        columns={columnsOf(of.businessName)}
        rowKey={({ id }) => id}
        read={found}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage: setPage }}
        empty={<p className="soft">No stores.</p>}
      />
    </SectionCard>
  );
};

const CreateStore = ({ of }: { readonly of: Operated }): ReactNode => {
  const [name, setName] = useState('');
  const [city, setCity] = useState('');
  const [bankAccount, setBankAccount] = useState<BankAccount>(noBankAccount);
  const create = useAct(createMerchantStore, { changes: [listMerchantStores] });
  const send = async (): Promise<void> => {
    const body = { locationName: name.trim(), bankAccount, ...(city.trim() && { city }) };
    await create.mutateAsync({ params: of, body });
    setName('');
    setCity('');
    setBankAccount(noBankAccount);
  };
  return (
    <ActButton
      size="compact-sm"
      says="New store"
      title={`New store of ${of.businessName} in ${of.environment}`}
      act="Create the store"
      isReady={name.trim() !== '' && isBankAccount(bankAccount)}
      onConfirm={send}
    >
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={limits.addressLength}
          {...typing(name, setName)}
        />
        <TextInput
          label="City (optional)"
          maxLength={limits.addressLength}
          {...typing(city, setCity)}
        />
        <Fieldset legend="Bank account">
          <BankAccountFields account={bankAccount} onChange={setBankAccount} />
        </Fieldset>
      </Stack>
    </ActButton>
  );
};
