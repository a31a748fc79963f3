import { execFileSync } from 'node:child_process';
import { test } from 'vitest';

const find = (program: string): string =>
  execFileSync('sh', ['-c', `command -v '${program}' || true`], { encoding: 'utf8' }).trim();

type Needed<Program extends string> = {
  /** The package of Debian that each is in. */
  readonly packages: Readonly<Record<Program, string>>;
  readonly needsRoot?: boolean;
};

/**
 * Where programs of the distribution are. Null: one is missing, so the tests of the file are left out, which
 * stands in the run in their place and is said again at its end (`tools/test.mjs`).
 */
export const findInstalled = <Program extends string>(
  what: string,
  { packages, needsRoot = false }: Needed<Program>,
): Readonly<Record<Program, string>> | null => {
  const programs = Object.keys(packages) as Program[];
  const found = programs.map((program) => [program, find(program)] as const);
  const missing = found.filter(([, path]) => path === '').map(([program]) => packages[program]);
  const reasons = [
    ...(missing.length > 0 ? [`not installed: ${[...new Set(missing)].join(', ')}`] : []),
    ...(needsRoot && process.getuid?.() !== 0 ? ['it has to run as root'] : []),
  ];
  if (reasons.length === 0) return Object.fromEntries(found) as Record<Program, string>;
  const sentence = `${what} WAS NOT TRIED (${reasons.join('; ')})`;
  process.stdout.write(`${sentence}\n`);
  test.todo(sentence);
  return null;
};
