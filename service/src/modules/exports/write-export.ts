import { type Cell, csvLine } from './csv-cell.ts';
import type { ExportedRows } from './export-rows.ts';

export type ExportFormat = 'csv' | 'json';

/** The text of an export, piece by piece. Without rows: the header line of CSV, an empty list of JSON. */
export const writeExport = (rows: ExportedRows, format: ExportFormat): AsyncGenerator<string> =>
  format === 'csv' ? writeCsv(rows) : writeJson(rows);

async function* writeCsv({ columns, pages }: ExportedRows): AsyncGenerator<string> {
  let header = csvLine(columns);
  // The header goes out with the first page: an export that fails before it has no text at all.
  for await (const page of pages) {
    yield header + page.map(csvLine).join('');
    header = '';
  }
}

async function* writeJson({ columns, pages }: ExportedRows): AsyncGenerator<string> {
  const jsonOf = (row: readonly Cell[]): string =>
    JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, plainOf(row[at] ?? null)])));
  yield '{"data":[';
  let comma = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield comma + page.map(jsonOf).join(',');
    comma = ',';
  }
  yield ']}';
}

const plainOf = (cell: Cell) => (typeof cell === 'object' && cell !== null ? cell.amount : cell);
