import { type Cell, csvLine } from './csv-cell.ts';
import type { ExportedRow } from './export-rows.ts';

export type ExportFormat = 'csv' | 'json';

/** The text of an export, piece by piece. Without rows: no line of CSV, an empty list of JSON. */
export const writeExport = (
  pages: AsyncIterable<readonly ExportedRow[]>,
  format: ExportFormat,
): AsyncGenerator<string> => (format === 'csv' ? writeCsv(pages) : writeJson(pages));

async function* writeCsv(pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string> {
  let hasHeader = false;
  for await (const page of pages) {
    const [first] = page;
    if (!first) continue;
    if (!hasHeader) yield csvLine(Object.keys(first));
    hasHeader = true;
    yield page.map((row) => csvLine(Object.values(row))).join('');
  }
}

async function* writeJson(pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string> {
  yield '{"data":[';
  let comma = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield comma + page.map(jsonOf).join(',');
    comma = ',';
  }
  yield ']}';
}

const jsonOf = (row: ExportedRow): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, plainOf(cell)])),
  );

const plainOf = (cell: Cell) => (typeof cell === 'object' && cell !== null ? cell.amount : cell);
