import { readSearch } from '../../parts/filters/read-search.ts';

export type AuditFilters = {
  readonly who?: string | undefined;
  readonly what?: string | undefined;
  readonly day?: string | undefined;
  readonly before?: string | undefined;
};

export const readAuditFilters = (search: Readonly<Record<string, unknown>>): AuditFilters => ({
  who: matching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, readSearch.text(search, 'who')),
  what: matching(/^[a-zA-Z]{1,60}$/, readSearch.text(search, 'what')),
  day: readSearch.day(search, 'day'),
  before: matching(/^\d{1,18}$/, search.before === undefined ? undefined : String(search.before)),
});

const matching = (pattern: RegExp, text: string | undefined): string | undefined =>
  text !== undefined && pattern.test(text) ? text : undefined;
