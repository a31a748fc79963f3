import type { TSchema } from 'typebox';

/**
 * Keywords of our own in a schema, for input that is also accepted (WIRE-3). Validation rewrites
 * the input to the schema; the published schema shows what is accepted.
 */
type Lenient = {
  /** A text that may also be sent as a JSON integer. */
  readonly integerToo?: true;
  /** An optional address: empty text means absent. */
  readonly emptyMeansAbsent?: true;
  /** A day that may also be sent as a date-time. */
  readonly dateTimeToo?: true;
  /** Keywords of the published schema alone: the handler checks them, with words of its own. */
  readonly published?: Readonly<Record<string, unknown>>;
};

type Part = Lenient & {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Part[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly patternProperties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly items?: Part;
};

/** The schema of a body as callers may send it: null stands for an optional member that is absent. */
export const acceptedSchema = (schema: TSchema): TSchema => accepted(schema as Part) as TSchema;

/** The same for one value of a query, where nothing is null. */
export const widenedSchema = (schema: TSchema): TSchema => widened(schema as Part) as TSchema;

const accepted = (part: Part): Part => ({
  ...widened(part),
  ...(part.anyOf && { anyOf: part.anyOf.map(accepted) }),
  ...(part.items && { items: accepted(part.items) }),
  ...(part.properties && { properties: acceptedMembers(part.properties, part.required ?? []) }),
  ...(part.patternProperties && { patternProperties: acceptedMembers(part.patternProperties, []) }),
});

const acceptedMembers = (
  members: Readonly<Record<string, Part>>,
  required: readonly string[],
): Readonly<Record<string, Part>> =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const each = accepted(member);
      return [name, required.includes(name) ? each : orNull(each)];
    }),
  );

const orNull = (part: Part): Part => {
  if (part.anyOf) return { ...part, anyOf: [...part.anyOf, { type: 'null' }] };
  return {
    ...part,
    ...(part.type && { type: [...new Set([part.type, 'null'].flat())] }),
    ...(part.enum && { enum: [...new Set([...part.enum, null])] }),
  };
};

const widened = (part: Part): Part => {
  const { integerToo, emptyMeansAbsent, dateTimeToo, published, ...own } = part;
  const plain: Part = { ...own, ...published };
  const without = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(plain).filter(([name]) => !names.includes(name)));
  if (integerToo) return { ...plain, type: [plain.type ?? 'string', 'integer'].flat() };
  if (emptyMeansAbsent) return without(['minLength', 'format']);
  return dateTimeToo ? without(['pattern', 'format']) : plain;
};
