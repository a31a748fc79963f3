import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

type Found = {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
};
type Dependency = { readonly resolved: string; readonly dependencyTypes: readonly string[] };
type Module = { readonly source: string; readonly dependencies: readonly Dependency[] };

export type Cruise = {
  readonly violations: readonly Violation[];
  readonly modules: readonly Module[];
};

export type Violation = { readonly rule: string; readonly from: string; readonly to: string };

const parts = ['contract', 'service', 'simulator', 'web', 'sdk', 'cli', 'test', 'tools'];
const program = new URL(
  '../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
  import.meta.url,
);
const maxOutputBytes = 64 * 2 ** 20;

/** Checks the imports below a folder by the rules in its .dependency-cruiser.cjs. */
export const cruise = async (folder: string, present: readonly string[]): Promise<Cruise> => {
  const checked = parts.filter((part) => present.includes(part));
  const args = [
    fileURLToPath(program),
    '--config',
    '.dependency-cruiser.cjs',
    '-T',
    'json',
    ...checked,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    maxBuffer: maxOutputBytes,
  }).catch((error: { stdout?: string }) => {
    // The exit code counts the violations.
    if (error.stdout?.startsWith('{')) return { stdout: error.stdout };
    throw error;
  });
  const result = JSON.parse(stdout);
  return {
    modules: result.modules,
    violations: result.summary.violations.map(({ rule, from, to }: Found) => ({
      rule: rule.name,
      from,
      to,
    })),
  };
};
