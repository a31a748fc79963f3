import { limits, listStores } from '@florin/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../call/use-operation.ts';
import type { Column } from './data-table.tsx';
import { ChoiceMenu, OneChoice } from './filter-fields.tsx';
import { readSearch } from './filters.ts';
import { useStoreName } from './store-name.ts';
import type { Filter, FilterField } from './use-filters.tsx';

/** Names by store id; null: there is nothing to choose among. */
const useStoreWords = (isChosen: boolean): Readonly<Record<string, string>> | null => {
  const nameOf = useStoreName();
  const query = { page: 0, size: limits.pageSizeMax };
  const stores = useOperation(listStores, { query }).data?.data ?? [];
  if (stores.length < 2 && !isChosen) return null;
  return Object.fromEntries(stores.map(({ id, locationName }) => [id, nameOf(locationName)]));
};

/** A column of stores is in view where there are several. */
export const useStoreColumn = <Row,>(storeOf: (row: Row) => string | null): Column<Row> => ({
  isObvious: true,
  ...{ id: 'store', title: 'Store', isExtra: useStoreWords(false) === null },
  cell: storeOf,
});

const StoresField = ({ chosen = [], choose }: FilterField<readonly string[]>): ReactNode => {
  const words = useStoreWords(chosen.length > 0);
  if (words === null) return null;
  return (
    <ChoiceMenu
      label="Store"
      words={words}
      chosen={chosen}
      onChoose={(several) => choose(several.length > 0 ? several : undefined)}
    />
  );
};

const StoreChoice = ({ chosen, choose }: FilterField<string>): ReactNode => {
  const words = useStoreWords(chosen !== undefined);
  if (words === null) return null;
  return <OneChoice label="Store" words={words} chosen={chosen} onChoose={choose} />;
};

const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** By store id, where there is more than one. */
export const inStores: Filter<readonly string[]> = {
  read: readSearch.words,
  field: (field) => <StoresField {...field} />,
};

export const inStore = {
  storeId: {
    read: (search, name) => readSearch.matching(search, name, id),
    field: (field) => <StoreChoice {...field} />,
  } satisfies Filter<string>,
};
