import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

type Dependency = { readonly resolved: string };
type Module = { readonly source: string; readonly dependencies: readonly Dependency[] };

const program = new URL(
  '../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
  import.meta.url,
);
const maxOutputBytes = 64 * 2 ** 20;

/** The imports below a folder as dependency-cruiser finds them. */
export const cruise = async (
  folder: string,
  parts: readonly string[],
): Promise<readonly Module[]> => {
  const args = [fileURLToPath(program), '--config', '.dependency-cruiser.cjs', '-T', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, ...parts], {
    cwd: folder,
    maxBuffer: maxOutputBytes,
  }).catch((error: { stdout?: string }) => {
    // The exit code counts the violations.
    if (error.stdout?.startsWith('{')) return { stdout: error.stdout };
    throw error;
  });
  return JSON.parse(stdout).modules;
};
