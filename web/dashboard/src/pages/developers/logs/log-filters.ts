import { readSearch } from '../../../parts/filters/read-search.ts';
import { eventTypes } from '../deliveries/delivery-filters.ts';

export const requestResults = ['OK', 'REFUSED', 'BROKEN'] as const;

export type LogFilters = {
  readonly result?: (typeof requestResults)[number] | undefined;
  readonly requestId?: string | undefined;
  readonly eventType?: (typeof eventTypes)[number] | undefined;
  readonly of?: string | undefined;
  readonly before?: string | undefined;
};

export const readLogFilters = (search: Readonly<Record<string, unknown>>): LogFilters => ({
  result: readSearch.choice(search, 'result', requestResults),
  requestId: readSearch.text(search, 'requestId'),
  eventType: readSearch.choice(search, 'eventType', eventTypes),
  of: readSearch.text(search, 'of'),
  before: search.before === undefined ? undefined : String(search.before),
});
