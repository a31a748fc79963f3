import { londonDay } from '#kernel/london-day.ts';

type Part = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly patternProperties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly items?: Part;
  readonly integerToo?: true;
  readonly emptyMeansAbsent?: true;
  readonly dateTimeToo?: true;
};

/**
 * Rewrites what `acceptedSchema` of the contract accepts to what its handler reads (WIRE-3). Objects are
 * changed in place; undefined: the value is absent.
 */
export const normaliseInput = (part: Part, value: unknown): unknown => {
  if (value === '' && part.emptyMeansAbsent) return takesNull(part) ? null : undefined;
  if (part.integerToo && Number.isSafeInteger(value)) return String(value);
  if (part.dateTimeToo && typeof value === 'string') return dayOf(value);
  if (Array.isArray(value) && part.items) normaliseItems(part.items, value);
  else if (typeof value === 'object' && value !== null) normaliseMembers(part, value);
  return value;
};

const normaliseItems = (part: Part, items: unknown[]): void => {
  for (const [at, item] of items.entries()) items[at] = normaliseInput(part, item);
};

const normaliseMembers = (part: Part, value: object): void => {
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = partOf(part, name);
    if (!member) continue;
    const written = isAbsent(part, member, name, members[name])
      ? undefined
      : normaliseInput(member, members[name]);
    if (written === undefined) delete members[name];
    else members[name] = written;
  }
};

const partOf = ({ properties, patternProperties }: Part, name: string): Part | undefined => {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return patternProperties && Object.values(patternProperties)[0];
};

/** When null has a meaning of its own, the schema names it. */
const isAbsent = (part: Part, member: Part, name: string, value: unknown): boolean =>
  value === null && !part.required?.includes(name) && !takesNull(member);

const takesNull = ({ type, enum: values, anyOf }: Part): boolean =>
  type === undefined ? !anyOf && (values?.includes(null) ?? true) : [type].flat().includes('null');

const dateTime = /^(\d{4}-\d\d-\d\d)T[\d:.]+(Z|[+-]\d\d:?\d\d)?$/i;

const dayOf = (text: string): string => {
  const [, day, zone] = dateTime.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return text;
  if (zone === undefined) return day;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? text : londonDay(instant);
};

/** Date reads 30 February as 2 March. */
const isDay = (day: string): boolean => {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
};
