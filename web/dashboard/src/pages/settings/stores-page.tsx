import { limits } from '@florin/contract';
import { changeStore, listOwnStores } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../call/use-me.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { DateText } from '../../parts/date-text.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { StoreAccount } from './store-account.tsx';
import { StoreForm } from './store-form.tsx';
import { type Store, storeName } from './store-name.ts';

type Act = { readonly kind: 'CHANGE' | 'ACCOUNT' | 'ARCHIVE'; readonly store: Store };

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
        isLoading={found.isPending}
        failure={found.error}
        onRetry={() => void found.refetch()}
        pager={{ page, size, total: found.data?.totalCount ?? 0, onPage: setPage }}
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
