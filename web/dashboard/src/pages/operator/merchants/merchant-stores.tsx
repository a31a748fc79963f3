import { createMerchantStore, limits, listMerchantStores, type ReplyOf } from '@florin/contract';
import { Button, Fieldset, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import {
  type BankAccount,
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from '../../../parts/bank-account-fields.tsx';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { SectionCard } from '../../../parts/layout.tsx';
import { CopyText } from '../../../parts/texts.tsx';
import type { Operated } from './merchant-page.tsx';

type Store = ReplyOf<typeof listMerchantStores>['data'][number];

const pageSize = 25;

const columns: readonly Column<Store>[] = [
  { id: 'name', title: 'Store', isMain: true, cell: ({ locationName }) => locationName },
  { id: 'primary', title: 'Primary', cell: ({ primary }) => (primary ? 'Yes' : 'No') },
  { id: 'city', title: 'City', cell: ({ cityOrTown }) => cityOrTown },
  { id: 'id', title: 'Store id', cell: ({ id }) => <CopyText text={id} what="store id" /> },
];

export const MerchantStores = ({ of }: { readonly of: Operated }): ReactNode => {
  const [page, setPage] = useState(1);
  const [isCreating, setIsCreating] = useState(false);
  const found = useOperation(listMerchantStores, {
    params: of,
    query: { page: page - 1, size: pageSize },
  });
  return (
    <SectionCard
      title="Stores"
      acts={
        <Button variant="default" size="compact-sm" onClick={() => setIsCreating(true)}>
          New store
        </Button>
      }
    >
      <DataTable<Store>
        isPlain
        name="stores"
        caption="Stores, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ id }) => id}
        read={found}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage: setPage }}
        empty={<p className="soft">No stores.</p>}
      />
      <CreateStore of={of} isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </SectionCard>
  );
};

type CreateStoreProps = {
  readonly of: Operated;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

const CreateStore = ({ of, isOpen, onClose }: CreateStoreProps): ReactNode => {
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
    <ConfirmAct
      isOpen={isOpen}
      title={`New store of ${of.businessName} in ${of.environment}`}
      act="Create the store"
      isReady={name.trim() !== '' && isBankAccount(bankAccount)}
      onConfirm={send}
      onClose={onClose}
    >
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={limits.addressLength}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="City"
          maxLength={limits.addressLength}
          value={city}
          onChange={({ currentTarget }) => setCity(currentTarget.value)}
        />
        <Fieldset legend="Bank account">
          <BankAccountFields account={bankAccount} onChange={setBankAccount} />
        </Fieldset>
      </Stack>
    </ConfirmAct>
  );
};
