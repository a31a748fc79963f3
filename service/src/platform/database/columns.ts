/** Columns of a table with their PostgreSQL types, declared once for insert, recordset and update. */
export type Columns = Readonly<Record<string, string>>;

/** `order_id, notes`, or `c.order_id, c.notes`. */
export const columnNames = (columns: Columns, alias?: string): string =>
  Object.keys(columns)
    .map((column) => (alias ? `${alias}.${column}` : column))
    .join(', ');

/** `order_id text, notes text`: how `jsonb_to_recordset` reads them. */
export const columnTypes = (columns: Columns): string =>
  Object.entries(columns)
    .map(([column, type]) => `${column} ${type}`)
    .join(', ');
