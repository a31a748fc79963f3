import { readSearch } from '../../parts/filters/read-search.ts';

export type CustomerFilters = {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
};

export const readCustomerFilters = (
  search: Readonly<Record<string, unknown>>,
): CustomerFilters => ({
  search: readSearch.text(search, 'search'),
  page: readSearch.page(search),
});
