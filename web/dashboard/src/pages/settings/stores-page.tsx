import { limits, type ReplyOf } from '@florin/contract';
import {
  changeStore,
  createStore,
  listOwnStores,
  setStoreAccount,
} from '@florin/contract/dashboard/index.ts';
import { Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import {
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from '../../parts/bank-account-fields.tsx';
import { ActButton, ConfirmAct } from '../../parts/confirm-act.tsx';
import { actsColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { typing, useTyped } from '../../parts/fields.ts';
import { PageTitle } from '../../parts/layout.tsx';
import { MoreActs } from '../../parts/more-acts.tsx';
import { countOf } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useStoreName } from '../../parts/store-name.ts';
import { DateText } from '../../parts/texts.tsx';
import { AccountText } from '../payouts/matches.tsx';

const columns: readonly Column<Store>[] = [
  { id: 'name', title: 'Store', isMain: true, cell: ({ locationName }) => locationName },
  { id: 'state', title: 'Status', isMain: true, cell: (store) => <State store={store} /> },
  {
    id: 'address',
    title: 'Address',
    cell: ({ addressLine1, addressLine2, city, postalCode }) =>
      [addressLine1, addressLine2, city, postalCode].filter((line) => line !== '').join(', '),
  },
  {
    id: 'account',
    title: 'Paid into',
    cell: ({ bankAccount }) => <AccountText of={shortAccount(bankAccount)} />,
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
  { id: 'id', title: 'Store id', isExtra: true, copied: ({ storeId }) => storeId },
];

const shortAccount = ({ name, accountNumber }: Store['bankAccount']) => ({
  name,
  lastFour: accountNumber.slice(-4),
});

const State = ({ store: { isEnabled, isPrimary } }: { readonly store: Store }): ReactNode => {
  if (!isEnabled) return <StatusBadge status="CANCELLED" words="Archived" />;
  return <StatusBadge status="ACTIVE" words={isPrimary ? 'Primary' : 'In use'} />;
};

/** Where the business takes payments, and where their money goes. */
export const StoresPage = (): ReactNode => {
  const [page, setPage] = useState(1);
  const mayWrite = useMay('settings.write');
  const mayPay = useMay('payoutDetails.write');
  const size = limits.storesPageSize;
  const nameOf = useStoreName();
  const found = useOperation(listOwnStores, { query: { page: page - 1, size } });
  const rows = found.data?.data.map((store) => ({
    ...store,
    locationName: nameOf(store.locationName),
  }));
  const acts: Column<Store> = {
    ...actsColumn,
    cell: (store) => <StoreActs of={store} mayWrite={mayWrite} mayPay={mayPay} />,
  };
  return (
    <>
      <PageTitle title="Stores" says="Where you take payments, in this environment.">
        {mayWrite && <StoreForm of={null} />}
      </PageTitle>
      <DataTable<Store>
        name="stores"
        caption="Stores, the newest first"
        columns={mayWrite || mayPay ? [...columns, acts] : columns}
        rowKey={({ storeId }) => storeId}
        rows={rows}
        read={found}
        toolbar={found.data && <b>{countOf(found.data.totalCount, 'store')}</b>}
        pager={{ page, size, total: found.data?.totalCount, onPage: setPage }}
        empty={<p className="soft">No stores.</p>}
      />
    </>
  );
};

type StoreActsProps = {
  readonly of: Store;
  readonly mayWrite: boolean;
  readonly mayPay: boolean;
};

/** Its name and address change now and then; its account and its end are behind a menu. */
const StoreActs = ({ of, mayWrite, mayPay }: StoreActsProps): ReactNode => {
  const [open, setOpen] = useState<'account' | 'archive' | null>(null);
  const close = (): void => setOpen(null);
  const archive = of.isEnabled ? 'Archive' : 'Restore';
  return (
    <Group gap="xs" wrap="nowrap">
      {mayWrite && <StoreForm of={of} />}
      <MoreActs
        label={`More of ${of.locationName}`}
        acts={[
          ...(mayPay ? [{ says: 'Account', onChoose: () => setOpen('account') }] : []),
          ...(mayWrite && !of.isPrimary
            ? [
                {
                  says: archive,
                  isDangerous: of.isEnabled,
                  onChoose: () => setOpen('archive'),
                },
              ]
            : []),
        ]}
      />
      <StoreAccount of={of} isOpen={open === 'account'} onClose={close} />
      <ArchiveStore of={of} isOpen={open === 'archive'} onClose={close} />
    </Group>
  );
};

type StoreActProps = {
  readonly of: Store;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

const ArchiveStore = ({ of, isOpen, onClose }: StoreActProps): ReactNode => {
  const change = useAct(changeStore, { changes: [listOwnStores] });
  const act = `${of.isEnabled ? 'Archive' : 'Use'} ${of.locationName}${of.isEnabled ? '' : ' again'}`;
  const params = { storeId: of.storeId };
  return (
    <ConfirmAct
      isOpen={isOpen}
      isDangerous={of.isEnabled}
      act={act}
      onConfirm={() => change.mutateAsync({ params, body: { isEnabled: !of.isEnabled } })}
      onClose={onClose}
    >
      <p>
        {of.isEnabled
          ? 'It takes no new payment requests. Existing ones can still be paid, and are paid out.'
          : 'It takes payment requests again.'}
      </p>
    </ConfirmAct>
  );
};

const newButton = {
  variant: 'filled',
  says: 'New store',
  leftSection: <Icon name="plus" size={14} />,
};

const lines = [
  ['addressLine1', 'Address'],
  ['addressLine2', 'Second line'],
  ['city', 'City'],
  ['postalCode', 'Postcode'],
] as const;

/** Name and address of a store, a new one or one that is there. */
const StoreForm = ({ of }: { readonly of: Store | null }): ReactNode => {
  const { typed, type, begin } = useTyped({
    locationName: of?.locationName ?? '',
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
    // A store that bears the name of the business goes on doing so.
    const isSame = locationName.trim() === of?.locationName;
    if (of)
      await change.mutateAsync({
        params: { storeId: of.storeId },
        body: { ...address, ...(!isSame && { locationName }) },
      });
    else await create.mutateAsync({ body: typed });
  };
  return (
    <ActButton
      {...(of ? { size: 'compact-sm', says: 'Change' } : newButton)}
      title={of ? `Change ${of.locationName}` : 'New store'}
      act={of ? 'Save' : 'Create store'}
      isReady={typed.locationName.trim() !== ''}
      onConfirm={save}
      onOpen={begin}
    >
      <Stack>
        <TextInput
          label="Name"
          description="Customers see it on the checkout."
          required
          maxLength={limits.addressLength}
          {...typing(typed.locationName, (locationName) => type({ locationName }))}
        />
        <Group grow align="end">
          {lines.map(([name, label]) => (
            <TextInput
              key={name}
              label={`${label} (optional)`}
              miw="12rem"
              maxLength={limits.addressLength}
              {...typing(typed[name], (text) => type({ [name]: text }))}
            />
          ))}
        </Group>
        {!of && <p className="soft">Its money goes to the account of your primary store.</p>}
      </Stack>
    </ActButton>
  );
};

/** The account before is named by its last digits; the new one is typed whole. */
const StoreAccount = ({ of, isOpen, onClose }: StoreActProps): ReactNode => {
  const [account, setAccount] = useState(noBankAccount);
  const change = useAct(setStoreAccount, { changes: [listOwnStores] });
  const { sortCode } = of.bankAccount;
  const isReady = isBankAccount(account);
  const act = isReady ? `Pay to the account ending ${account.accountNumber.slice(-4)}` : 'Change';
  return (
    <ConfirmAct
      isOpen={isOpen}
      isDangerous
      title={`Where the money of ${of.locationName} goes`}
      act={act}
      isReady={isReady}
      onConfirm={() => change.mutateAsync({ params: { storeId: of.storeId }, body: account })}
      onClose={() => {
        setAccount(noBankAccount);
        onClose();
      }}
    >
      <Stack>
        <p>
          Now: <AccountText of={shortAccount(of.bankAccount)} />, sort code ending{' '}
          {sortCode.slice(-2)}. A payout that is open still goes there; what comes in from now on
          goes to the new account. Every owner gets an email.
        </p>
        <BankAccountFields account={account} onChange={setAccount} />
      </Stack>
    </ConfirmAct>
  );
};

export type Store = ReplyOf<typeof listOwnStores>['data'][number];
