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
  const choices = stores.map(({ id, locationName }) => ({
    value: id,
    label: nameOf(locationName),
  }));
  return (
    <NativeSelect
      label="Store"
      data={[{ value: '', label: 'The primary store' }, ...choices]}
      {...typing(storeId, onChange)}
    />
  );
};
