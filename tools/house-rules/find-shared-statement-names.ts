import type { SourceFile } from './tidy-rules.ts';

type SharedName = { readonly name: string; readonly paths: readonly string[] };

/**
 * Names of test statements that stand in two files. Two statements of one name throw, and test files that
 * run in one worker share its modules: so the order of the files would decide whether a run fails.
 */
export const findSharedStatementNames = (files: readonly SourceFile[]): readonly SharedName[] => {
  const pathsOf = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    if (!path.endsWith('.ts')) continue;
    for (const [, name = ''] of text.matchAll(/'(test_\w+)'/g))
      pathsOf.set(name, (pathsOf.get(name) ?? new Set()).add(path));
  }
  return [...pathsOf]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => ({ name, paths: [...paths].sort() }));
};
