import type { LineQuery } from '../accounts/list-lines.ts';
import { badRequest } from '../refusal.ts';

const dateOrTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;
const maxPage = 100_000;

export const readLineQuery = (query: URLSearchParams): LineQuery & { readonly page: number } => {
  const page = Number(query.get('page') ?? '1');
  if (!Number.isInteger(page) || page < 1 || page > maxPage) {
    throw badRequest('U002', 'There is no such page.', 'page');
  }
  return {
    from: timeOf(query, 'fromBookingDateTime', '00:00:00'),
    to: timeOf(query, 'toBookingDateTime', '23:59:59.999'),
    page,
  };
};

// The standard has the bank ignore a time zone; a date alone means the whole day.
const timeOf = (query: URLSearchParams, name: string, timeOfDay: string): number | undefined => {
  const text = query.get(name);
  if (text === null) return undefined;
  const local = text.replace(/(Z|[+-]\d{2}:?\d{2})$/, '');
  const at = Date.parse(`${local.includes('T') ? local : `${local}T${timeOfDay}`}Z`);
  if (!dateOrTime.test(local) || Number.isNaN(at)) {
    throw badRequest('U003', 'This is no date and time.', name);
  }
  return at;
};
