import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const imported = /(?:^(?:import|export|}) ?.*|\bimport\()"((?:@[\w.-]+\/)?[a-z][\w./:-]*)"\)?/gm;

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const isFoundFrom = (folder: string, name: string): boolean =>
  existsSync(join(folder, 'node_modules', name, 'package.json')) ||
  (dirname(folder) !== folder && isFoundFrom(dirname(folder), name));

test('a compiled program finds each of its packages, also those that it reads later', () => {
  const given = ['--import', 'tsx', join(root, 'tools', 'compile-programs.ts'), 'start'];
  const program = execFileSync(process.execPath, given, { cwd: root, encoding: 'utf8' });
  const folder = join(dirname(program), '..', '..', '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(imported)])
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  const packages = [...new Set(names.map(packageOf))];
  expect(packages).toContain('better-auth');
  expect(packages.filter((name) => !isFoundFrom(folder, name))).toEqual([]);
});
