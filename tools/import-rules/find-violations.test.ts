import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations, type Violation } from './find-violations.ts';
import { allowedImports, type Planted, plantedImports, rules, targets } from './planted-imports.ts';
import { type Import, readImports } from './read-imports.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const parts = ['contract', 'service', 'simulator', 'web', 'test', 'tools'];
const workspaces = ['contract', 'service', 'simulator', 'web/checkout', 'web/dashboard'];

describe('the repository', () => {
  let imports: readonly Import[];

  beforeAll(() => {
    imports = readImports(root, parts);
  });

  test('is read in every part, with its aliases and packages', () => {
    for (const part of [...workspaces, 'service/src/kernel', 'test', 'tools']) {
      expect(imports.filter(({ from }) => from.startsWith(`${part}/`))).not.toEqual([]);
    }
    const isFloor = (floor: string) =>
      imports.some(
        ({ to, kinds }) =>
          kinds.includes('aliased-subpath-import') && to.startsWith(`service/src/${floor}/`),
      );
    expect(['kernel', 'platform', 'rails', 'modules'].filter((floor) => !isFloor(floor))).toEqual(
      [],
    );
  });

  test('breaks no rule', () => {
    expect(findViolations(rules, imports)).toEqual([]);
  });
});

describe('planted violations', () => {
  let folder: string;
  let found: readonly Violation[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'florin-planted-'));
    await build(folder);
    found = findViolations(rules, readImports(folder, ['contract', 'service', 'simulator', 'web']));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('there is one for every rule', () => {
    expect([...plantedImports.keys()].sort()).toEqual(rules.map((rule) => rule.name).sort());
  });

  test.each(rules)('$name', ({ name }) => {
    const caught = found.filter((one) => one.rule === name).map((one) => one.from);
    expect(caught).toContain(plantedImports.get(name)?.file);
  });

  test('allowed imports are not reported', () => {
    const accused = new Set(found.map((one) => one.from));
    expect(allowedImports.filter(({ file }) => accused.has(file))).toEqual([]);
  });
});

const build = async (folder: string): Promise<void> => {
  for (const name of [
    'tools/import-rules/import-rules.cjs',
    'tools/import-rules/module-order.cjs',
    'package.json',
  ]) {
    await cp(join(root, name), join(folder, name));
  }
  for (const workspace of workspaces) {
    await mkdir(join(folder, workspace), { recursive: true });
    await cp(join(root, workspace, 'package.json'), join(folder, workspace, 'package.json'));
  }
  await linkPackages(folder);
  for (const target of targets) await write(folder, { file: target, imports: [] });
  for (const file of [...plantedImports.values(), ...allowedImports]) await write(folder, file);
};

/** The packages are the real ones, the workspaces the planted ones. */
const linkPackages = async (folder: string): Promise<void> => {
  const own = join(folder, 'node_modules');
  await mkdir(join(own, '@florin'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@florin') continue;
    await symlink(join(root, 'node_modules', name), join(own, name));
  }
  for (const workspace of workspaces) {
    const name = workspace.replace(/^.*\//, '');
    await symlink(join(folder, workspace), join(own, '@florin', name));
  }
};

const write = async (folder: string, { file, imports }: Planted): Promise<void> => {
  const lines = imports.map((path, index) =>
    path.startsWith('type ')
      ? `export type * as part${index} from '${path.slice('type '.length)}';`
      : `export * as part${index} from '${path}';`,
  );
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), `${lines.join('\n')}\nexport const here = true;\n`);
};
