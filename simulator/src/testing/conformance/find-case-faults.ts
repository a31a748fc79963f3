import { type Assertion, assertions, type Case, type Match } from './read-cases.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: unknown;
};

/** What an answer lacks of the assertions of its case. */
export const findCaseFaults = (
  { asserts = [], asserts_one_of: oneOf = [], asserts_last_if_all: ifAll = [] }: Case,
  answer: Answer,
  context: Context,
): readonly string[] => {
  const faultsOf = (name: string) => findFaults(name, answer, context);
  const alternatives = oneOf.map(faultsOf);
  const isOneRight = alternatives.length === 0 || alternatives.some((each) => each.length === 0);
  // The last one is asserted where the others hold.
  const condition = ifAll.slice(0, -1).every((each) => faultsOf(each).length === 0);
  const last = ifAll.at(-1);
  return [
    ...asserts.flatMap(faultsOf),
    ...(isOneRight ? [] : alternatives.flat()),
    ...(last && condition ? faultsOf(last) : []),
  ];
};

const findFaults = (name: string, answer: Answer, context: Context): readonly string[] => {
  const assertion: Assertion | undefined = assertions[name]?.expect;
  if (!assertion) return [`${name} is no assertion`];
  const { 'status-code': status, matches = [] } = assertion;
  return [
    ...(status === undefined || status === answer.status
      ? []
      : [`${name}: status ${answer.status}, not ${status}`]),
    ...matches.flatMap((match) =>
      isMatched(match, answer, context) ? [] : [`${name}: ${JSON.stringify(match)}`],
    ),
  ];
};

const isMatched = (match: Match, { headers, body }: Answer, context: Context): boolean => {
  const present = match['header-present'];
  if (present) return headers[present] !== undefined;
  if (match.header) return headers[match.header] === fillIn(match.value ?? '', context);
  const absent = match['JSON-NOT-PRESENT'];
  if (absent) return memberAt(body, absent) === undefined;
  const found = memberAt(body, match.JSON ?? '');
  return match.Value === undefined ? found !== undefined : String(found) === match.Value;
};

const chosen = /^#\[(\w+)="([^"]*)"\]$/;

/** `Data.Status`, or `Errors.#[ErrorCode="U016"].ErrorCode`: the first of a list that has it. */
export const memberAt = (body: unknown, path: string): unknown =>
  path.split(/\.(?![^[]*\])/).reduce<unknown>((value, step) => {
    const [, member = '', wanted] = chosen.exec(step) ?? [];
    if (member === '') return (value as Record<string, unknown> | undefined)?.[step];
    return Array.isArray(value) ? value.find((each) => each[member] === wanted) : undefined;
  }, body);

export type Context = Record<string, string>;

const name = /\$([A-Za-z][\w-]*)/g;

/** `$name` becomes what the context holds, which may name others; an unknown one stays. */
export const fillIn = (text: string, context: Context): string => {
  let filled = text;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const next = filled.replace(name, (whole, found: string) => context[found] ?? whole);
    if (next === filled) break;
    filled = next;
  }
  return filled;
};

const maxDepth = 4;
