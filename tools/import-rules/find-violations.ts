import type { Import, ImportKind } from './read-imports.ts';

type Paths = string | readonly string[];
type Where = { readonly path?: Paths; readonly pathNot?: Paths };

/** A rule as `import-rules.cjs` writes it. */
export type Rule = {
  readonly name: string;
  readonly comment: string;
  readonly from: Where;
  readonly to: Where & {
    readonly circular?: boolean;
    readonly couldNotResolve?: boolean;
    readonly dependencyTypes?: readonly ImportKind[];
    readonly dependencyTypesNot?: readonly ImportKind[];
  };
};

export type Violation = { readonly rule: string; readonly from: string; readonly to: string };

/** Each import that a rule forbids. */
export const findViolations = (
  rules: readonly Rule[],
  imports: readonly Import[],
): readonly Violation[] => {
  const isCircular = findCircles(imports);
  const byFile = groupByFile(imports);
  return rules.flatMap((rule) =>
    [...byFile].flatMap(([from, ofFile]) => {
      const matched = matchFrom(rule.from, from);
      if (!matched) return [];
      const target = targetOf(rule.to, matched);
      return ofFile
        .filter((one) => target(one) && (!rule.to.circular || isCircular(one)))
        .map(({ to }) => ({ rule: rule.name, from, to }));
    }),
  );
};

const groupByFile = (imports: readonly Import[]): ReadonlyMap<string, readonly Import[]> => {
  const byFile = new Map<string, Import[]>();
  for (const one of imports) byFile.set(one.from, [...(byFile.get(one.from) ?? []), one]);
  return byFile;
};

const patternOf = (paths: Paths): string => [paths].flat().join('|');

const compiled = new Map<Paths, RegExp>();
const compile = (paths: Paths): RegExp => {
  const known = compiled.get(paths) ?? new RegExp(patternOf(paths));
  compiled.set(paths, known);
  return known;
};

/** The groups of the pattern, which the target's patterns repeat as $1; null: not of this rule. */
const matchFrom = ({ path, pathNot }: Where, from: string): readonly string[] | null => {
  if (pathNot !== undefined && compile(pathNot).test(from)) return null;
  return path === undefined ? [] : compile(path).exec(from);
};

const targetOf = (wanted: Rule['to'], groups: readonly string[]) => {
  const filled = (paths: Paths) =>
    compile(patternOf(paths).replace(/\$(\d)/g, (_, group) => groups[Number(group)] ?? ''));
  const path = wanted.path === undefined ? null : filled(wanted.path);
  const pathNot = wanted.pathNot === undefined ? null : filled(wanted.pathNot);
  const { couldNotResolve, dependencyTypes, dependencyTypesNot } = wanted;
  return ({ to, kinds }: Import): boolean =>
    (path?.test(to) ?? true) &&
    !pathNot?.test(to) &&
    (!couldNotResolve || kinds.includes('unresolved')) &&
    (dependencyTypes?.some((kind) => kinds.includes(kind)) ?? true) &&
    !dependencyTypesNot?.some((kind) => kinds.includes(kind));
};

/** Whether the imported file leads back to the importing one. */
const findCircles = (imports: readonly Import[]): ((one: Import) => boolean) => {
  const nextOf = groupByFile(imports.filter(isOfValues));
  // Only a file that is imported and imports can be part of a circle: the others are taken away
  // until none is left to take.
  const left = new Set(nextOf.keys());
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    const imported = new Set([...left].flatMap((from) => nextOf.get(from)?.map(({ to }) => to)));
    for (const from of left) {
      const leads = nextOf.get(from)?.some(({ to }) => left.has(to));
      if (!leads || !imported.has(from)) left.delete(from);
    }
  }
  const leadsTo = (from: string, target: string): boolean => {
    const seen = new Set<string>();
    const todo = [from];
    for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
      if (file === target) return true;
      if (seen.has(file) || !left.has(file)) continue;
      seen.add(file);
      todo.push(...(nextOf.get(file)?.map(({ to }) => to) ?? []));
    }
    return false;
  };
  return (one) => isOfValues(one) && left.has(one.from) && leadsTo(one.to, one.from);
};

/** Imports of types alone are erased: a circle of them has a first file to run and to read. */
const isOfValues = ({ kinds }: Import): boolean => !kinds.includes('type-only');
