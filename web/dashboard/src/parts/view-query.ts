/** What a view saves of an address: its filters, not the page of the list that was open. */
export const viewQuery = (search: string): string => {
  const filters = new URLSearchParams(search);
  for (const name of ['page', 'before']) filters.delete(name);
  filters.sort();
  return `?${String(filters).replaceAll('%2C', ',')}`;
};
