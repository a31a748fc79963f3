import { limits } from '@florin/contract';
import { changeStore, createStore, listOwnStores } from '@florin/contract/dashboard/index.ts';
import { Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { type Store, storeName } from './store-name.ts';

type StoreFormProps = { readonly of: Store | null; readonly onClose: () => void };

const lines = [
  ['addressLine1', 'Address'],
  ['addressLine2', 'Second line'],
  ['city', 'City'],
  ['postalCode', 'Postcode'],
] as const;

/** Name and address of a store, a new one or one that is there. */
export const StoreForm = ({ of, onClose }: StoreFormProps): ReactNode => {
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
