import { limits, listStores } from '@florin/contract';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOperation } from '../call/use-operation.ts';
import { typing } from './fields.ts';
import { useStoreName } from './store-name.ts';

type StoreFieldProps = {
  readonly storeId: string;
  readonly onChange: (storeId: string) => void;
};

/** Only where there is a choice. */
export const StoreField = ({ storeId, onChange }: StoreFieldProps): ReactNode => {
  const nameOf = useStoreName();
  const { data } = useOperation(listStores, { query: { page: 0, size: limits.pageSizeMax } });
  const stores = data?.data.filter(({ enabled }) => enabled) ?? [];
  if (stores.length < 2) return null;
  const isMain = ({ locationName }: (typeof stores)[number]) => locationName === 'DEFAULT';
  const main = stores.some(isMain) ? nameOf('DEFAULT') : 'The main store';
  const choices = stores
    .filter((store) => !isMain(store))
    .map(({ id, locationName }) => ({ value: id, label: nameOf(locationName) }));
  return (
    <NativeSelect
      label="Store"
      data={[{ value: '', label: main }, ...choices]}
      {...typing(storeId, onChange)}
    />
  );
};
