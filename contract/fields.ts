import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { limits } from './limits.ts';

/** The value, or null when there is no source for it (WIRE-4). */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] });

/** Of a text that stands in a mail, a file or a page: no line breaks and no control characters. */
export const oneLine = {
  pattern: '^(?=.*\\S)[^\\p{Cc}\\u2028\\u2029]*$',
  errorMessage: 'must be text on one line, and not blank',
} as const;

export const uuid = (description?: string) => Type.String({ format: 'uuid', description });

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (description?: string) => Type.String({ description });

/** A day of London, also accepted as a date-time. */
export const day = (description: string) =>
  Type.String({
    format: 'date',
    pattern: '^(19|2\\d)',
    errorMessage: 'must be a day of our time, as YYYY-MM-DD',
    dateTimeToo: true,
    description: `YYYY-MM-DD in London, or a date-time: ${description}`,
  });

/** An instant, or the first of a day in London. */
export const instant = (description: string) =>
  Type.String({
    pattern: '^(19|2\\d)\\d\\d-\\d\\d-\\d\\d(T[0-9:.]{5,18}(Z|[ +-]\\d\\d:?\\d\\d)?)?$',
    errorMessage: 'must be an ISO 8601 date or date-time of our time',
    description: `ISO 8601; a date begins in London, a time without zone is UTC: ${description}`,
  });

/** From 0. */
export const pageNumber = Type.Integer({
  minimum: 0,
  maximum: limits.pageNumberMax,
  default: 0,
  description: 'Page, from 0.',
});

export const pageSize = (preset: number) =>
  Type.Integer({
    minimum: 1,
    maximum: limits.pageSizeMax,
    default: preset,
    description: `Rows per page, at most ${limits.pageSizeMax}.`,
  });

/** The reply of a list with page numbers. */
export const paged = <Row extends TSchema>(row: Row) =>
  Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    data: Type.Array(row),
    totalCount: Type.Integer(),
  });

const id = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** How a list says where it goes on: by time, or by transaction of the database, and id. */
const positions = {
  /** By what the list is sorted by: a time or an amount. */
  keyAndId: `\\d{1,16}\\.${id}`,
  timeAndId: `\\d{13,16}\\.${id}`,
  transactionAndId: `\\d{1,19}\\.${id}`,
  transactionAndEntry: '\\d{1,19}\\.\\d{1,18}',
} as const;

/** Of a list without page numbers, the newest first: it goes on behind its last row. */
export const goesOn = (position: keyof typeof positions) => ({
  before: Type.Optional(
    Type.String({
      pattern: `^${positions[position]}$`,
      maxLength: 60,
      errorMessage: 'must be the nextBefore of a page',
    }),
  ),
  limit: pageSize(20),
});

/** Its reply. */
export const continued = <Row extends TProperties>(row: Row) =>
  Type.Object({ data: Type.Array(Type.Object(row)), nextBefore: nullable(Type.String()) });

export const sorts = ['NEWEST', 'OLDEST', 'LARGEST', 'SMALLEST'] as const;

/** How a list is read, and whether it says what all of its pages hold. */
export const sortedAndTotalled = {
  orderBy: Type.Optional(
    Type.Enum(sorts, { description: 'By time or by amount: NEWEST when omitted.' }),
  ),
  totals: Type.Optional(
    Type.Boolean({ description: 'Say also what these filters find on all pages together.' }),
  ),
};

const added = {
  count: Type.Integer(),
  amount: Type.Number({ description: 'Pounds.' }),
};

/** The same of every list. */
export const listTotals = Type.Optional(
  Type.Object(
    {
      ...added,
      isMinimum: Type.Boolean({
        description: 'There are more: adding up ended at a limit. Choose fewer days.',
      }),
      byStatus: Type.Array(Type.Object({ status: Type.String(), ...added })),
    },
    { description: 'Of all pages; only where the query asks for it.' },
  ),
);

/** The reply of a list that goes on and can be totalled. */
export const totalled = <Row extends TProperties>(row: Row) =>
  Type.Object({
    data: Type.Array(Type.Object(row)),
    nextBefore: nullable(Type.String()),
    totals: listTotals,
  });

export const digits = Type.String({ pattern: '^[0-9]{1,18}$', errorMessage: 'must be digits' });

/** Of what pages and apps call: older clients send it. */
export const env = Type.Optional(
  Type.String({ maxLength: 20, description: 'Not needed: the id is found in either environment.' }),
);
