import { limits, type ReplyOf } from '@florin/contract';
import {
  changeStore,
  createStore,
  listOwnStores,
  setStoreAccount,
} from '@florin/contract/dashboard/index.ts';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import {
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from '../../parts/bank-account-fields.tsx';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';

type Act = { readonly kind: 'CHANGE' | 'ACCOUNT' | 'ARCHIVE'; readonly store: Store };

/** The first store of every merchant has a name that customers do not see. */
export const storeName = ({ locationName }: Pick<Store, 'locationName'>): string =>
  locationName === 'DEFAULT' ? 'Main store' : locationName;

const columns: readonly Column<Store>[] = [
  { id: 'name', title: 'Store', isMain: true, cell: storeName },
  { id: 'state', title: 'State', isMain: true, cell: (store) => <State store={store} /> },
  {
    id: 'address',
    title: 'Address',
    cell: ({ addressLine1, addressLine2, city, postalCode }) =>
      [addressLine1, addressLine2, city, postalCode].filter((line) => line !== '').join(', '),
  },
  {
    id: 'account',
    title: 'Its money goes to',
    cell: ({ bankAccount: { name, accountNumber } }) => `${name}, ${accountNumber}`,
  },
  {
    id: 'changed',
    title: 'Account changed',
    isExtra: true,
    cell: ({ bankAccount: { changedAt, changedBy } }) =>
      changedAt && (
        <>
          <DateText at={changedAt} />, {changedBy}
        </>
      ),
  },
  {
    id: 'id',
    title: 'Store id',
    isExtra: true,
    cell: ({ storeId }) => <CopyText text={storeId} what="store id" />,
  },
];

const State = ({ store: { isEnabled, isPrimary } }: { readonly store: Store }): ReactNode => {
  if (!isEnabled) return <StatusBadge status="CANCELLED" words="Archived" />;
  return <StatusBadge status="ACTIVE" words={isPrimary ? 'Primary' : 'In use'} />;
};

/** Where the business takes payments, and where their money goes. */
export const StoresPage = (): ReactNode => {
  const [page, setPage] = useState(1);
  const [isCreating, setIsCreating] = useState(false);
  const [act, setAct] = useState<Act | null>(null);
  const mayWrite = useMay('settings.write');
  const mayPay = useMay('payoutDetails.write');
  const size = limits.storesPageSize;
  const found = useOperation(listOwnStores, { query: { page: page - 1, size } });
  const close = (): void => setAct(null);
  const acts: Column<Store> = {
    id: 'acts',
    title: 'Change',
    cell: (store) => (
      <Button.Group>
        {mayWrite && <Press says="Change" onPress={() => setAct({ kind: 'CHANGE', store })} />}
        {mayPay && <Press says="Account" onPress={() => setAct({ kind: 'ACCOUNT', store })} />}
        {mayWrite && !store.isPrimary && (
          <Press
            says={store.isEnabled ? 'Archive' : 'Use again'}
            onPress={() => setAct({ kind: 'ARCHIVE', store })}
          />
        )}
      </Button.Group>
    ),
  };
  return (
    <>
      <PageTitle title="Stores" says="Where you take payments, in this environment.">
        {mayWrite && (
          <Button leftSection={<Icon name="plus" size={14} />} onClick={() => setIsCreating(true)}>
            New store
          </Button>
        )}
      </PageTitle>
      <DataTable<Store>
        name="stores"
        caption="Stores, the newest first"
        columns={mayWrite || mayPay ? [...columns, acts] : columns}
        rows={found.data?.data}
        rowKey={({ storeId }) => storeId}
        read={found}
        pager={{ page, size, total: found.data?.totalCount, onPage: setPage }}
        empty={<p className="soft">No stores.</p>}
      />
      {isCreating && <StoreForm of={null} onClose={() => setIsCreating(false)} />}
      {act?.kind === 'CHANGE' && <StoreForm of={act.store} onClose={close} />}
      {act?.kind === 'ACCOUNT' && <StoreAccount of={act.store} onClose={close} />}
      {act?.kind === 'ARCHIVE' && <ArchiveStore of={act.store} onClose={close} />}
    </>
  );
};

const Press = ({
  says,
  onPress,
}: {
  readonly says: string;
  readonly onPress: () => void;
}): ReactNode => (
  <Button size="compact-sm" variant="default" onClick={onPress}>
    {says}
  </Button>
);

type OfStore = { readonly of: Store; readonly onClose: () => void };

const ArchiveStore = ({ of, onClose }: OfStore): ReactNode => {
  const change = useAct(changeStore, { changes: [listOwnStores] });
  const act = `${of.isEnabled ? 'Archive' : 'Use'} ${storeName(of)}${of.isEnabled ? '' : ' again'}`;
  const params = { storeId: of.storeId };
  return (
    <ConfirmAct
      isOpen
      isDangerous={of.isEnabled}
      title={act}
      act={act}
      onConfirm={() => change.mutateAsync({ params, body: { isEnabled: !of.isEnabled } })}
      onClose={onClose}
    >
      <p>
        {of.isEnabled
          ? 'It takes no new payment requests. Those it has can still be paid and are paid out.'
          : 'It takes payment requests again.'}
      </p>
    </ConfirmAct>
  );
};

type StoreFormProps = { readonly of: Store | null; readonly onClose: () => void };

const lines = [
  ['addressLine1', 'Address'],
  ['addressLine2', 'Second line'],
  ['city', 'City'],
  ['postalCode', 'Postcode'],
] as const;

/** Name and address of a store, a new one or one that is there. */
const StoreForm = ({ of, onClose }: StoreFormProps): ReactNode => {
  const [typed, setTyped] = useState({
    locationName: of ? storeName(of) : '',
    addressLine1: of?.addressLine1 ?? '',
    addressLine2: of?.addressLine2 ?? '',
    city: of?.city ?? '',
    postalCode: of?.postalCode ?? '',
  });
  const changes = { changes: [listOwnStores] };
  const create = useAct(createStore, changes);
  const change = useAct(changeStore, changes);
  const save = async (): Promise<void> => {
    const { locationName, ...address } = typed;
    // The name that customers do not see stays.
    const isSame = of !== null && locationName.trim() === storeName(of);
    if (of)
      await change.mutateAsync({
        params: { storeId: of.storeId },
        body: { ...address, ...(!isSame && { locationName }) },
      });
    else await create.mutateAsync({ body: typed });
  };
  return (
    <ConfirmAct
      isOpen
      title={of ? `Change ${storeName(of)}` : 'New store'}
      act={of ? 'Save' : 'Create the store'}
      isReady={typed.locationName.trim() !== ''}
      onConfirm={save}
      onClose={onClose}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Customers see it on the checkout."
          required
          maxLength={limits.addressLength}
          value={typed.locationName}
          onChange={({ currentTarget }) =>
            setTyped({ ...typed, locationName: currentTarget.value })
          }
        />
        <Group grow align="end">
          {lines.map(([name, label]) => (
            <TextInput
              key={name}
              label={label}
              miw="12rem"
              maxLength={limits.addressLength}
              value={typed[name]}
              onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
            />
          ))}
        </Group>
        {!of && <p className="soft">Its money goes to the account of your primary store.</p>}
      </Stack>
    </ConfirmAct>
  );
};

type StoreAccountProps = { readonly of: Store; readonly onClose: () => void };

/** The account before is named by its last digits; the new one is typed whole. */
const StoreAccount = ({ of, onClose }: StoreAccountProps): ReactNode => {
  const [account, setAccount] = useState(noBankAccount);
  const change = useAct(setStoreAccount, { changes: [listOwnStores] });
  const { name, sortCode, accountNumber } = of.bankAccount;
  const isReady = isBankAccount(account);
  const act = isReady ? `Pay to the account ending ${account.accountNumber.slice(-4)}` : 'Change';
  return (
    <ConfirmAct
      isOpen
      isDangerous
      title={`Where the money of ${storeName(of)} goes`}
      act={act}
      isReady={isReady}
      onConfirm={() => change.mutateAsync({ params: { storeId: of.storeId }, body: account })}
      onClose={onClose}
    >
      <Stack>
        <p>
          Now: {name}, sort code {sortCode}, account {accountNumber}. A payout that is open still
          goes there; what comes in from now on goes to the new account. Every owner gets a mail.
        </p>
        <BankAccountFields account={account} onChange={setAccount} />
      </Stack>
    </ConfirmAct>
  );
};

export type Store = ReplyOf<typeof listOwnStores>['data'][number];
