import Type, { type Static, type TSchema } from 'typebox';

/** The value, or null where there is no source for it (decision A.10). */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] });

export const uuid = (description?: string) => Type.String({ format: 'uuid', description });

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (description?: string) => Type.String({ description });

/** Pounds as a number with at most two decimals. */
export const poundsNumber = (description?: string) => Type.Number({ description });

/** Pounds as two-decimal text. */
export const poundsText = (description?: string) => Type.String({ description });
