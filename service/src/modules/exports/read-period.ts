import { limits } from '@florin/contract';
import { badField } from '#platform/http/bad-field.ts';
import type { Period } from './store/exported-rows.ts';
import type { ExportFormat } from './write-export.ts';

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
