import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const lint = (cwd: string, ...more: string[]) =>
  new Promise<{ readonly isGreen: boolean; readonly said: string }>((resolve) => {
    const rule = '--only=nursery/noFloatingPromises';
    const args = ['lint', '--config-path=biome.promises.json', rule, ...more];
    execFile(join(root, 'node_modules/.bin/biome'), args, { cwd }, (error, stdout, stderr) =>
      resolve({ isGreen: error === null, said: stdout + stderr }),
    );
  });

// The types of all files are read for it: in `npm run check` it took half of the CPU.
test('no promise is left to fail where nobody waits for it', async () => {
  const { isGreen, said } = await lint(root);
  expect(said).toMatch(/Checked \d{4} files/);
  expect([isGreen, said]).toEqual([true, said]);
});

test('one that another file makes is found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-promises-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['biome.json', 'biome.promises.json'])
    await copyFile(join(root, name), join(folder, name));
  await writeFile(join(folder, 'pay.ts'), 'export const pay = async (): Promise<void> => {};\n');
  await writeFile(join(folder, 'call.ts'), "import { pay } from './pay.ts';\npay();\n");
  const { isGreen, said } = await lint(folder, '--vcs-enabled=false');
  expect(said).toContain('call.ts:2:1 lint/nursery/noFloatingPromises');
  expect(isGreen).toBe(false);
});
