import { createRequire } from 'node:module';
import type { Rule } from './find-violations.ts';

type Planted = { readonly file: string; readonly imports: readonly string[] };

const load = createRequire(import.meta.url);
const rules = load('./import-rules.cjs') as readonly Rule[];
const { modules, foldersOfModules, foldersOfPlatform } = load('./module-order.cjs') as {
  modules: readonly string[];
  foldersOfModules: Readonly<Record<string, readonly (readonly string[])[]>>;
  foldersOfPlatform: readonly (readonly string[])[];
};

const src = 'service/src';
/** A small repository: the files that the planted imports point to. */
const targets = [
  `${src}/kernel/target.ts`,
  `${src}/platform/target.ts`,
  `${src}/platform/database/statement.ts`,
  `${src}/rails/bank-rail.ts`,
  `${src}/rails/payer-rail.ts`,
  `${src}/rails/other-provider/index.ts`,
  `${src}/programs/start.ts`,
  ...modules.map((name) => `${src}/modules/${name}/index.ts`),
  ...Object.keys(foldersOfModules).map((parent) => `${src}/modules/${parent}/last.ts`),
  `${src}/platform/idempotency/last.ts`,
  `${src}/modules/merchants/inside.ts`,
  `${src}/platform/target.test.ts`,
  'contract/index.ts',
  'simulator/src/target.ts',
  'web/checkout/src/index.ts',
  'web/other/target.ts',
];

const plant = (file: string, ...imports: readonly string[]): Planted => ({ file, imports });

const crossings: Readonly<Record<string, Planted>> = {
  'kernel-is-pure': plant(`${src}/kernel/impure.ts`, 'node:crypto'),
  'platform-sees-kernel-and-contract': plant(`${src}/platform/upward.ts`, '#rails/bank-rail.ts'),
  'rails-see-platform-and-kernel': plant(`${src}/rails/upward.ts`, '#modules/merchants/index.ts'),
  'rails-apart': plant(`${src}/rails/provider/borrow.ts`, '../other-provider/index.ts'),
  'modules-see-no-programs': plant(`${src}/modules/events/upward.ts`, '#programs/start.ts'),
  'programs-import-no-simulator': plant(
    `${src}/programs/out.ts`,
    '../../../simulator/src/target.ts',
  ),
  'module-has-a-position': plant(`${src}/modules/unknown/new.ts`, '#kernel/target.ts'),
  'module-by-its-index': plant(`${src}/modules/ledger/window.ts`, '#modules/merchants/inside.ts'),
  'programs-use-indexes': plant(`${src}/programs/window.ts`, '#modules/merchants/inside.ts'),
  'modules-see-ports': plant(
    `${src}/modules/payments/provider.ts`,
    '#rails/other-provider/index.ts',
  ),
  'payers-in-the-sandbox': plant(`${src}/modules/checkout/pay.ts`, '#rails/payer-rail.ts'),
  'only-stores-speak-sql': plant(
    `${src}/modules/payments/sql.ts`,
    '#platform/database/statement.ts',
  ),
  'sign-in-library-in-identity': plant(
    `${src}/modules/people/team/sign-in.ts`,
    'better-auth/minimal',
  ),
  'contract-needs-typebox-only': plant('contract/heavy.ts', 'fastify'),
  'pages-see-the-contract': plant(
    'web/checkout/src/in.ts',
    '../../../service/src/kernel/target.ts',
  ),
  'workspaces-apart': plant('web/checkout/src/borrow.ts', '../../other/target.ts'),
  'simulator-is-apart': plant('simulator/src/in.ts', '../../contract/index.ts'),
  'product-is-apart-from-the-simulator': plant(
    `${src}/platform/out.ts`,
    '@florin/simulator/src/target.ts',
  ),
  'no-circles': plant(`${src}/kernel/round.ts`, './round.ts'),
  'layers-by-name': plant(`${src}/platform/far.ts`, '../kernel/target.ts'),
  'workspaces-by-name': plant(`${src}/platform/reach.ts`, '../../../contract/index.ts'),
  'nothing-for-tests-in-the-product': plant(`${src}/platform/dev.ts`, 'vitest'),
  'no-test-in-the-product': plant(`${src}/platform/tested.ts`, './target.test.ts'),
  resolvable: plant(`${src}/platform/lost.ts`, './nowhere.ts'),
};

/** Each module imports the one that follows it. */
const outOfOrder = modules.slice(0, -1).map((name, position) => {
  const file = `${src}/modules/${name}/out-of-order.ts`;
  const next = `#modules/${modules[position + 1]}/index.ts`;
  return [`module-order-${name}`, plant(file, next)] as const;
});

/** Each folder of a module imports a file that comes after it. */
const foldersOutOfOrder = Object.entries(foldersOfModules).flatMap(([parent, groups]) =>
  groups.flat().map((name) => {
    const file = `${src}/modules/${parent}/${name}/out-of-order.ts`;
    return [`folder-order-${parent}/${name}`, plant(file, '../last.ts')] as const;
  }),
);

/** Each folder of the platform imports a file of the last one. */
const platformOutOfOrder = foldersOfPlatform
  .slice(0, -1)
  .flat()
  .map((name) => {
    const file = `${src}/platform/${name}/out-of-order.ts`;
    return [`platform-order-${name}`, plant(file, '../idempotency/last.ts')] as const;
  });

const newFolders = Object.keys(foldersOfModules).map((parent) => {
  const file = `${src}/modules/${parent}/unknown/new.ts`;
  return [`folder-has-a-position-${parent}`, plant(file, '#kernel/target.ts')] as const;
});

/** One violation for each rule, by the rule's name. */
export const plantedImports: ReadonlyMap<string, Planted> = new Map([
  ...Object.entries(crossings),
  ...outOfOrder,
  ...foldersOutOfOrder,
  ...platformOutOfOrder,
  ...newFolders,
]);

/** Imports that the rules allow. */
export const allowedImports: readonly Planted[] = [
  // Types alone: they are erased, so nothing runs in a circle.
  {
    file: 'service/src/modules/payments/names-its-caller.ts',
    imports: ['type ./calls-what-names-it.ts'],
  },
  {
    file: 'service/src/modules/payments/calls-what-names-it.ts',
    imports: ['./names-its-caller.ts'],
  },
  plant(`${src}/modules/payments/store.ts`, '#platform/database/statement.ts'),
  plant(`${src}/modules/payments/store/insert.ts`, '#platform/database/statement.ts'),
  plant(`${src}/modules/dashboard/read.ts`, '#platform/database/statement.ts'),
  plant(`${src}/modules/payments/use.ts`, '#modules/merchants/index.ts', '#rails/bank-rail.ts'),
  plant(`${src}/modules/payments/requests/use.ts`, '../core/use.ts'),
  plant(`${src}/modules/payments/core/use.ts`, './store/read.ts'),
  plant(`${src}/modules/payments/core/store/read.ts`, '#platform/database/statement.ts'),
  plant(`${src}/modules/sandbox/pay.ts`, '#rails/payer-rail.ts'),
  plant(`${src}/modules/payments/say.ts`, '@florin/contract', '#kernel/target.ts', './use.ts'),
  plant(`${src}/modules/payments/say.test.ts`, 'vitest', './say.ts'),
  plant(`${src}/programs/wire.ts`, '#modules/sandbox/index.ts', '#rails/other-provider/index.ts'),
  plant('contract/light.ts', 'typebox', './index.ts'),
  plant('web/checkout/src/say.ts', '@florin/contract'),
];

export type { Planted };
export { modules, rules, targets };
