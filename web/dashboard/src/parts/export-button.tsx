import { limits, type Operation, type QueryOf, type ReplyOf } from '@florin/contract';
import { Button, Group, Progress } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { callOperation } from '../call/call-operation.ts';
import { lostSince } from '../call/connection.ts';
import { useSignal } from '../call/use-signal.ts';
import { Icon } from '../design/icon.tsx';
import { Dialog } from './dialog.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { writeCount } from './numbers.ts';

type ExportPage<Row> = {
  readonly rows: readonly Row[];
  readonly total: number;
  /** There may be more than `total`. */
  readonly isMinimum?: boolean | undefined;
  /** Where no total is known: whether another page follows. */
  readonly goesOn?: boolean;
};

type ExportProps<Row> = {
  /** Of the file, without its ending. */
  readonly fileName: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** What reads it. Left out: a spreadsheet. */
  readonly format?: CsvFormat;
  /** A page from 0, with the filters in view. */
  readonly readPage: (page: number, signal: AbortSignal) => Promise<ExportPage<Row>>;
};

type ExportButtonProps<Row> = ExportProps<Row> & {
  /** The list beside it: of nothing there is no file. */
  readonly of?: { readonly data: { readonly data: readonly unknown[] } | undefined };
};

const rowsMax = 20_000;

type Progressed = { readonly read: number; readonly total: number };

/** Writes what the filters show into a file. */
export const ExportButton = <Row,>({ of, ...props }: ExportButtonProps<Row>): ReactNode => {
  const { start, dialog } = useExport(props);
  const isLost = useSignal(lostSince) !== null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        disabled={isLost || (of !== undefined && !of.data?.data.length)}
        onClick={start}
      >
        <span className="icon-alone">Export</span>
      </Button>
      {dialog}
    </>
  );
};

/** Page by page; the dialog says how far it is. */
export const useExport = <Row,>(props: ExportProps<Row>) => {
  const { fileName, columns, readPage, format } = props;
  const [progress, setProgress] = useState<Progressed | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const stop = useRef<AbortController | null>(null);
  const start = async (): Promise<void> => {
    stop.current = new AbortController();
    const { signal } = stop.current;
    setFailure(null);
    setProgress({ read: 0, total: 0 });
    try {
      const rows = await readAll(readPage, signal, setProgress);
      if (signal.aborted) return;
      for (const file of csvFiles(fileName, rows, columns, format)) save(file);
      setProgress(null);
    } catch (error) {
      if (!signal.aborted) setFailure(error as Error);
    }
  };
  const close = (): void => {
    stop.current?.abort();
    setProgress(null);
    setFailure(null);
  };
  const percent = progress?.total ? (100 * progress.read) / progress.total : 0;
  return {
    start: (): void => void start(),
    dialog: (
      <Dialog
        opened={progress !== null}
        onClose={close}
        title="Exporting"
        centered
        closeButtonProps={{ 'aria-label': 'Stop the export' }}
      >
        {failure && <FailureNotice failure={failure} onRetry={() => void start()} />}
        <Progress value={percent} aria-label="Rows read" />
        <p className="figures" role="status">
          {writeCount(progress?.read ?? 0)} of {writeCount(progress?.total ?? 0)} rows
        </p>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Stop
          </Button>
        </Group>
      </Dialog>
    ),
  };
};

const readAll = async <Row,>(
  readPage: ExportProps<Row>['readPage'],
  signal: AbortSignal,
  onProgress: (progress: Progressed) => void,
): Promise<readonly Row[]> => {
  const all: Row[] = [];
  for (let page = 0; ; page += 1) {
    const { rows, total, isMinimum, goesOn } = await readPage(page, signal);
    all.push(...rows);
    onProgress({ read: all.length, total: Math.max(total, all.length) });
    if (signal.aborted) return all;
    if (goesOn === undefined ? isAll({ rows, total, isMinimum }, all.length) : !goesOn) return all;
    if (all.length >= rowsMax)
      throw new Error(
        `An export holds at most ${writeCount(rowsMax)} rows: choose a shorter period.`,
      );
  }
};

type ContinuedPage<Row> = { readonly data: readonly Row[]; readonly nextBefore: string | null };

type ListOperation = Operation & { readonly reply: { readonly static?: unknown } };
type RowOfList<O extends ListOperation> = ReplyOf<O> extends ContinuedPage<infer Row> ? Row : never;

/** The pages of a list without page numbers, one after the other. */
export const readOn = <const O extends ListOperation>(
  operation: O,
  query: Omit<QueryOf<O>, 'before' | 'limit'>,
): ExportProps<RowOfList<O>>['readPage'] => {
  let before: string | null = null;
  return async (page, signal) => {
    const from = page === 0 || before === null ? {} : { before };
    const input = { query: { ...query, ...from, limit: limits.pageSizeMax } };
    const reply = await callOperation(operation, input as never, { signal });
    const { data, nextBefore } = reply as ContinuedPage<RowOfList<O>>;
    before = nextBefore;
    return { rows: data, total: 0, goesOn: nextBefore !== null };
  };
};

const isAll = <Row,>({ rows, total, isMinimum }: ExportPage<Row>, read: number): boolean => {
  if (isMinimum && rows.length === 0)
    throw new Error('There may be more than was found: choose a shorter period.');
  return !isMinimum && (rows.length === 0 || read >= total);
};

const save = ({ name, text }: CsvFile): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
};

type CsvFile = { readonly name: string; readonly text: string };

export type CsvFormat = {
  /** By it Excel knows that the text is UTF-8: without it "£" and names break. */
  readonly hasMark: boolean;
  /** More rows go on in another file. */
  readonly rowsMax: number;
};

const spreadsheet: CsvFormat = { hasMark: true, rowsMax: Number.POSITIVE_INFINITY };

/** Xero reads headings from the first character on, and 1,000 lines of a statement at a time. */
export const xero: CsvFormat = { hasMark: false, rowsMax: 1_000 };

export const csvFiles = <Row,>(
  name: string,
  rows: readonly Row[],
  columns: readonly CsvColumn<Row>[],
  { hasMark, rowsMax: max }: CsvFormat = spreadsheet,
): readonly CsvFile[] => {
  const parts = Math.max(Math.ceil(rows.length / max), 1);
  return Array.from({ length: parts }, (_, at) => {
    const some = parts === 1 ? rows : rows.slice(at * max, (at + 1) * max);
    return {
      name: parts === 1 ? `${name}.csv` : `${name}-${at + 1}.csv`,
      text: `${hasMark ? '\uFEFF' : ''}${writeCsv(some, columns)}`,
    };
  });
};

/** Pounds with both decimals and nothing else, as a spreadsheet and a ledger read them. */
export const csvPounds = (pounds: number | null | undefined): Amount | null =>
  pounds == null ? null : { amount: pounds.toFixed(2) };

type Amount = { readonly amount: string };

/** London's time with its distance from UTC: 2026-07-01 14:02:11 +01:00. */
export const csvTime = (at: string | null | undefined): string | null => {
  if (!at) return null;
  const parts = Object.fromEntries(
    londonTime.formatToParts(new Date(at)).map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second, timeZoneName = 'GMT' } = parts;
  const zone = timeZoneName.replace('GMT', '') || '+00:00';
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${zone}`;
};

const londonTime = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'Europe/London', hourCycle: 'h23', timeZoneName: 'longOffset' },
  ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

export type CsvColumn<Row> = {
  readonly title: string;
  readonly value: (row: Row) => CsvValue;
};

/** A file of lines for a spreadsheet. A text that it could run as a formula stays a text. */
export const writeCsv = <Row,>(rows: readonly Row[], columns: readonly CsvColumn<Row>[]): string =>
  [
    columns.map(({ title }) => csvCell(title)),
    ...rows.map((row) => columns.map(({ value }) => csvCell(value(row)))),
  ]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');

export type CsvValue = string | number | Amount | null | undefined;

const csvCell = (value: CsvValue): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return value.amount;
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
