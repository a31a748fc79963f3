/** A schema of the contract that becomes a class of Dart. */
export type DartClass = {
  readonly name: string;
  readonly schema: object;
  readonly parent?: string;
  /** Getters that are written by hand. */
  readonly mixin?: string;
};

type Part = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly items?: Part;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
};

/** How one member is declared, read and written. */
type Member = {
  readonly name: string;
  readonly type: string;
  readonly read: string;
  readonly write: string;
  /** The same on every object: `type` of a message. */
  readonly constant: string | null;
  readonly isOptional: boolean;
  readonly isNullable: boolean;
  readonly description: string;
};

/** Nested objects are added to `nested`: each becomes a class of its own. */
export const writeClass = ({ name, schema, parent, mixin }: DartClass, nested: DartClass[]) => {
  const { properties = {}, required = [] } = schema as Part;
  const members = Object.entries(properties).map(([key, part]) =>
    memberOf(key, part, required.includes(key), nested),
  );
  const fields = members.filter(({ constant }) => constant === null);
  const declared = new Set(parent ? ['florin', 'nonce'] : []);
  return [
    `final class ${name}${parent ? ` extends ${parent}` : ''}${mixin ? ` with ${mixin}` : ''} {`,
    `  const ${name}({`,
    ...fields.map(
      ({ name: key, isNullable }) => `    ${isNullable ? '' : 'required '}this.${key},`,
    ),
    '  });\n',
    `  factory ${name}.fromJson(Map<String, Object?> json) => ${name}(`,
    ...fields.map(({ name: key, read }) => `    ${key}: ${read},`),
    '  );\n',
    ...fields.flatMap((field) =>
      declaration(field, declared.has(field.name) || hasMixin(mixin, field)),
    ),
    ...(parent ? ['  @override'] : []),
    '  Map<String, Object?> toJson() => {',
    ...members.map(written),
    '  };',
    '}\n',
  ].join('\n');
};

const mixed = new Set([
  'status',
  'errorDescription',
  'statusDetails',
  'totalRefundAmount',
  'tipAmount',
]);
const hasMixin = (mixin: string | undefined, { name }: Member) =>
  mixin !== undefined && mixed.has(name);

const declaration = ({ name, type, description }: Member, isOverride: boolean): string[] => [
  ...(description ? [`  /// ${description}`] : []),
  ...(isOverride ? ['  @override'] : []),
  `  final ${type} ${name};`,
  '',
];

const written = ({ name, write, constant, isOptional }: Member): string => {
  if (constant !== null) return `    '${name}': '${constant}',`;
  return isOptional ? `    if (${name} != null) '${name}': ${write},` : `    '${name}': ${write},`;
};

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const memberOf = (name: string, part: Part, isRequired: boolean, nested: DartClass[]): Member => {
  const types = part.enum ? ['string'] : [part.type].flat();
  const isNullable = types.includes('null') || !isRequired;
  const mark = isNullable ? '?' : '';
  const reader = isNullable ? 'OrNull' : '';
  const base = {
    name,
    constant: null,
    isOptional: !isRequired,
    isNullable,
    description: part.description ?? '',
  };
  const plain = (type: string, read: string) => ({
    ...base,
    type: `${type}${mark}`,
    read: `${read}${reader}(json, '${name}')`,
    write: name,
  });
  if (part.enum?.length === 1)
    return { ...plain('String', 'readText'), constant: part.enum[0] ?? '' };
  const scalar = Object.entries(scalars).find(([wire]) => types.includes(wire));
  if (scalar) return plain(...scalar[1]);
  if (types.includes('array')) return { ...base, ...listMember(name, part, nested) };
  if (Object.keys(part.properties ?? {}).length === 0)
    return {
      ...base,
      type: 'Map<String, String>',
      read: `readTexts(json, '${name}')`,
      write: name,
    };
  const type = nest(name, part, nested);
  return {
    ...base,
    type: `${type}${mark}`,
    read: `readObject${reader}(json, '${name}', ${type}.fromJson)`,
    write: `${name}${mark}.toJson()`,
  };
};

const scalars: Readonly<Record<string, readonly [type: string, read: string]>> = {
  string: ['String', 'readText'],
  number: ['double', 'readNumber'],
  integer: ['int', 'readInteger'],
};

const listMember = (name: string, { items = {} }: Part, nested: DartClass[]) => {
  const type = nest(name.replace(/s$/, ''), items, nested);
  return {
    type: `List<${type}>`,
    read: `readList(json, '${name}', ${type}.fromJson)`,
    write: `[for (final each in ${name}) each.toJson()]`,
  };
};

/** Named by its member: the contract has no names for what stands within an object. */
const nest = (name: string, part: Part, nested: DartClass[]): string => {
  const type = upperFirst(name);
  const inner: DartClass[] = [];
  if (!nested.some((each) => each.name === type)) {
    nested.push({ name: type, schema: part });
    writeClass({ name: type, schema: part }, inner);
    for (const each of inner)
      if (!nested.some(({ name: known }) => known === each.name)) nested.push(each);
  }
  return type;
};
