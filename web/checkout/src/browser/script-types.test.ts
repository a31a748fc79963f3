import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The browser's code uses a browser's types, so the compiler's other run leaves it out.
test('the script has no type error', async () => {
  const compiler = fileOf('../../../../node_modules/.bin/tsc');
  const { stdout } = await run(compiler, ['-p', fileOf('../script')]);
  expect(stdout).toBe('');
});
