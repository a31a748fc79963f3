export type CsvColumn<Row> = {
  readonly title: string;
  readonly value: (row: Row) => string | number | null | undefined;
};

/** A file of lines for a spreadsheet. A text that it could run as a formula stays a text. */
export const writeCsv = <Row>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string =>
  [
    columns.map(({ title }) => csvCell(title)),
    ...rows.map((row) => columns.map(({ value }) => csvCell(value(row)))),
  ]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');

const csvCell = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
