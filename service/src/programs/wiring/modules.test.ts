import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { listMigrations } from '../../platform/database/migrate.ts';
import { type Module, modules, partsOf } from './modules.ts';

const order = createRequire(import.meta.url)('../../../../tools/import-rules/module-order.cjs');

// A part of another name would be mounted by nobody, and no type says so.
const parts = {
  ...{ name: true, migrations: true, encryptedColumns: true },
  ...{ routes: true, sdkRoutes: true, operatorRoutes: true },
  ...{ pages: true, streams: true, railCalls: true },
  ...{ jobs: true, dueAt: true, dueSource: true },
  ...{ operatorCommands: true, merchantCommands: true },
} satisfies Record<keyof Module, true>;

test('every module that has a position is mounted, and nothing of it is left out', () => {
  const names = modules.map(({ name }) => name);
  expect(names.toSorted()).toEqual([...order.modules].sort());
  expect(modules.flatMap(Object.keys).filter((key) => !(key in parts))).toEqual([]);
});

test('every migration is of one module, or of the platform', async () => {
  const ofPlatform = ['0001_foundation.sql', '0002_partitions.sql'];
  const named = [...ofPlatform, ...partsOf('migrations')];
  expect(named.toSorted()).toEqual(await listMigrations());
});

test('no two modules have a command of the same name', () => {
  for (const part of ['operatorCommands', 'merchantCommands'] as const) {
    const names = modules.flatMap((each) => Object.keys(each[part]?.run ?? {}));
    expect(names).toHaveLength(new Set(names).size);
  }
});
