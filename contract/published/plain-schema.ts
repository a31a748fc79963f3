import type { TSchema } from 'typebox';

const ownKeywords = new Set(['errorMessage', 'unusual', 'published']);

/** The schema as JSON, without keywords that only our own validation reads. */
export const plainSchema = (schema: TSchema): { readonly [name: string]: unknown } =>
  JSON.parse(JSON.stringify(schema, (name, value) => (ownKeywords.has(name) ? undefined : value)));
