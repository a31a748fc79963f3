type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? '_' : ''}${Lowercase<First>}${Snake<Rest>}`
  : '';

/** A row whose columns are named as the members of an object: `dueAt` is `due_at`. */
export type RowOf<Type> = {
  readonly [Member in keyof Type & string as Snake<Member>]: Type[Member];
};

/** The object of a row. A bigint is an amount as it is, a time a `Date`. */
export const membersOf = <Type>(row: RowOf<Type>): Type => {
  const object: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) object[memberOf(column)] = value;
  return object as Type;
};

const known = new Map<string, string>();

const memberOf = (column: string): string => {
  const found = known.get(column);
  if (found !== undefined) return found;
  const member = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  known.set(column, member);
  return member;
};
