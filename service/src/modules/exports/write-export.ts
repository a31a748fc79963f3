import { Readable } from 'node:stream';
import { failures, limits } from '@florin/contract';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { type Exported, type ExportedRows, exported, exportRows } from './export-rows.ts';
import type { Period } from './store.ts';

/** Spreadsheets run a text that begins so as a formula. */
const startsFormula = /^[\s;|]*[=+\-@＝＋－＠]|^[\t\r\n]/;
// Some split at these too, and run what comes after them.
const splitsFormula = /[;|\t](?=\s*[=+\-@＝＋－＠])/g;
const needsQuotes = /[",;|\t\r\n]/;

/**
 * One cell as RFC 4180 writes it. A text that a spreadsheet would run gets an apostrophe in front; an
 * amount stays the number that it is, negative too.
 */
export const csvCell = (value: Cell): string => {
  if (value === null) return '';
  if (typeof value === 'object') return quoted(value.amount);
  if (typeof value !== 'string') return String(value);
  const guarded = value.replaceAll(splitsFormula, "$&'");
  return quoted(startsFormula.test(value) ? `'${guarded}` : guarded);
};

/** `amount`: pounds as the interface prints them. */
export type Cell = string | number | boolean | null | { readonly amount: string };

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

const quoted = (text: string): string =>
  needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const dayMs = 24 * 60 * 60_000;
const isDay = /^(19|2\d)\d{2}-\d{2}-\d{2}$/;

/** `fromDate` and `toDate` are needed, so that everything is never exported by mistake. */
export const readPeriod = (query: Readonly<Record<string, unknown>>): Period => {
  const fromDate = dayOf('fromDate', query.fromDate);
  const toDate = dayOf('toDate', query.toDate);
  const days = (Date.parse(toDate) - Date.parse(fromDate)) / dayMs + 1;
  if (days < 1) throw wrong('toDate', 'must not be before fromDate');
  if (days > limits.exportDaysMax)
    throw wrong('toDate', `must be at most ${limits.exportDaysMax} days after fromDate`);
  return { fromDate, toDate };
};

export const readFormat = (value: unknown): ExportFormat => {
  if (value === undefined || value === 'csv') return 'csv';
  if (value === 'json') return 'json';
  throw wrong('format', 'must be csv or json');
};

const dayOf = (field: string, value: unknown): string => {
  const isReal =
    typeof value === 'string' &&
    isDay.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString().startsWith(value);
  if (!isReal) throw wrong(field, 'must be a day as YYYY-MM-DD');
  return value;
};

const wrong = (field: string, message: string) => badField(field, message, `${field} ${message}.`);

type ExportFormat = 'csv' | 'json';

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

type Authenticate = (authorization: string | undefined) => Promise<Caller>;

const paths = {
  payouts: '/api/payouts/export',
  'payout-matches': '/api/payouts/matches/export',
  payments: '/api/payments/export',
} as const satisfies Record<Exported, string>;
const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** Streams that no operation of the contract describes, as those of events (PAYOUT-6). */
export const exportRoutes = (
  app: FastifyInstance,
  tools: Uses<'database' | 'log'> & { readonly authenticate: Authenticate },
): void => {
  const open = new Map<string, number>();
  for (const what of exported)
    app.get(paths[what], { exposeHeadRoute: false }, async (request, reply) => {
      const { tenant } = await tools.authenticate(request.headers.authorization);
      const query = request.query as Readonly<Record<string, unknown>>;
      const [period, format] = [readPeriod(query), readFormat(query.format)];
      const count = open.get(tenant.merchantId) ?? 0;
      if (count >= limits.exportsPerMerchant)
        throw new Failure(failures.rateLimited, { retryAfterSeconds: 10 });
      open.set(tenant.merchantId, count + 1);
      const pieces = writeExport(exportRows(tools, tenant, what, period), format);
      const stream = Readable.from(pieces, { objectMode: false });
      stream.once('close', () => {
        const left = (open.get(tenant.merchantId) ?? 1) - 1;
        if (left > 0) open.set(tenant.merchantId, left);
        else open.delete(tenant.merchantId);
      });
      stream.once('error', ({ message }) => tools.log.warn({ error: message }, 'an export ended'));
      const name = `${what}-${period.fromDate}-${period.toDate}.${format}`;
      return reply
        .type(types[format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'no-store')
        .send(stream);
    });
};
