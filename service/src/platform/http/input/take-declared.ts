type Part = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Part[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly patternProperties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: unknown;
  readonly items?: Part;
};

type Take = (value: unknown) => unknown;
type Members = Readonly<Record<string, unknown>>;

/**
 * A reader of valid input that takes what its schema declares and nothing else (WIRE-2). A map takes
 * the names of its pattern; free-form is only what the schema calls so.
 */
export const takeDeclared = (schema: object | undefined): Take =>
  schema ? (takeOf(schema as Part) ?? same) : () => undefined;

const same: Take = (value) => value;

/** Null: the value is taken as it is. */
const takeOf = (part: Part): Take | null => {
  const { anyOf, items, properties, patternProperties, additionalProperties } = part;
  if (anyOf) return takeOfOneBranch(anyOf);
  if (items) return takeItems(takeOf(items));
  if (patternProperties) return takeMap(patternProperties);
  const isObject = properties !== undefined || [part.type].flat().includes('object');
  return isObject && !additionalProperties ? takeMembers(properties ?? {}) : null;
};

const takeOfOneBranch = (branches: readonly Part[]): Take | null => {
  const [take = null, ...others] = branches.map(takeOf).filter((each) => each !== null);
  if (others.length > 0) throw new Error('a schema may name one kind of object in a place');
  return take;
};

const takeItems = (take: Take | null): Take | null =>
  take && ((value) => (Array.isArray(value) ? value.map(take) : value));

const takeMembers = (properties: Readonly<Record<string, Part>>): Take => {
  const declared = Object.entries(properties).map(([name, part]) => [name, takeOf(part)] as const);
  return (value) => {
    if (!isObject(value)) return value;
    const taken: Record<string, unknown> = {};
    for (const [name, take] of declared)
      if (Object.hasOwn(value, name)) taken[name] = take ? take(value[name]) : value[name];
    return taken;
  };
};

const takeMap = (patterns: Readonly<Record<string, Part>>): Take => {
  const declared = Object.entries(patterns).map(
    ([pattern, part]) => [new RegExp(pattern, 'u'), takeOf(part) ?? same] as const,
  );
  return (value) => {
    if (!isObject(value)) return value;
    const members = Object.entries(value).flatMap(([name, each]) => {
      const [, take] = declared.find(([pattern]) => pattern.test(name)) ?? [];
      return take ? [[name, take(each)] as const] : [];
    });
    return Object.fromEntries(members);
  };
};

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
