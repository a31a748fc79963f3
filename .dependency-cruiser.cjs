const { modules, foldersOfModules } = require('./tools/module-order.cjs');

const source = 'service/src';
const tests = '(\\.test\\.ts$|\\.test-program\\.ts$|^test/|/test/|/testing/)';
const stores = `^${source}/modules/.+/store(\\.ts$|/)`;
const outside = '^(contract|web|sdk|cli|simulator|test|tools)/';
const packages = 'node_modules/';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const productOf = (path) => ({ path, pathNot: tests });

const floors = [
  rule(
    'kernel-is-pure',
    'Money, states and failures are decided without the world: the kernel imports only itself.',
    productOf(`^${source}/kernel/`),
    { pathNot: `^${source}/kernel/` },
  ),
  rule(
    'platform-sees-kernel-and-contract',
    'Technique knows no business. It reads the contract, which it serves and checks.',
    productOf(`^${source}/platform/`),
    { path: `^${source}/|${outside}`, pathNot: [`^${source}/(platform|kernel)/`, '^contract/'] },
  ),
  rule(
    'rails-see-platform-and-kernel',
    'A rail translates between its provider and its port; it knows nothing of the payments above.',
    productOf(`^${source}/rails/`),
    { path: `^${source}/|${outside}`, pathNot: `^${source}/(rails|platform|kernel)/` },
  ),
  rule(
    'modules-see-no-programs',
    'Wiring is on top: what is wired does not know by whom. Pages come from web/checkout.',
    productOf(`^${source}/modules/`),
    {
      path: `^${source}/programs/|${outside}`,
      pathNot: ['^contract/', '^web/checkout/'],
    },
  ),
  rule(
    'programs-stay-in-the-house',
    'The outside world is reached over HTTP, also where a program starts it.',
    productOf(`^${source}/programs/`),
    { path: outside, pathNot: ['^contract/', '^web/checkout/'] },
  ),
  rule(
    'rails-apart',
    'Providers know their port, not one another.',
    productOf(`^${source}/rails/([^/]+)/`),
    { path: `^${source}/rails/[^/]+/`, pathNot: `^${source}/rails/$1/` },
  ),
];

const folderOrder = Object.entries(foldersOfModules).flatMap(([parent, groups]) => {
  const folder = `^${source}/modules/${parent}/`;
  const listed = groups.flat();
  const known = [...listed, 'store', 'test'].join('|');
  return [
    ...groups.flatMap((group, place) =>
      group.map((name) =>
        rule(
          `folder-order-${parent}/${name}`,
          'A folder of a module knows only those before it: no circle can grow between them.',
          productOf(`${folder}${name}/`),
          {
            path: folder,
            pathNot: `${folder}(${[name, ...groups.slice(0, place).flat()].join('|')})/`,
          },
        ),
      ),
    ),
    rule(
      `folder-has-a-place-${parent}`,
      'A new folder of a module takes its place in the order.',
      { path: `${folder}[^/]+/`, pathNot: `${folder}(${known})/` },
      {},
    ),
  ];
});

const rooms = [
  ...modules
    .slice(0, -1)
    .map((name, place) =>
      rule(
        `module-order-${name}`,
        'A module knows only those before it in the order of AGENTS.md: no knot can grow.',
        productOf(`^${source}/modules/${name}/`),
        { path: `^${source}/modules/(${modules.slice(place + 1).join('|')})/` },
      ),
    ),
  rule(
    'module-has-a-place',
    'A new module takes its place in the order, here and in AGENTS.md.',
    {
      path: `^${source}/modules/[^/]+/`,
      pathNot: `^${source}/modules/(${modules.join('|')})/`,
    },
    {},
  ),
  rule(
    'module-by-its-door',
    'index.ts is the only door: what stands behind it may change without asking.',
    { path: `^${source}/modules/([^/]+)/`, pathNot: tests },
    {
      path: `^${source}/modules/`,
      pathNot: [`^${source}/modules/$1/`, `^${source}/modules/[^/]+/index\\.ts$`],
    },
  ),
  rule(
    'programs-use-doors',
    'Programs wire modules and rails through their doors as well.',
    productOf(`^${source}/programs/`),
    {
      path: `^${source}/(modules|rails)/`,
      pathNot: [
        `^${source}/(modules|rails)/[^/]+/index\\.ts$`,
        `^${source}/rails/[^/]+-rail\\.ts$`,
      ],
    },
  ),
  rule(
    'modules-see-ports',
    'A module speaks to *-rail.ts; which provider answers is decided when the program starts.',
    productOf(`^${source}/modules/`),
    { path: `^${source}/rails/`, pathNot: `^${source}/rails/[^/]+-rail\\.ts$` },
  ),
  rule(
    'payers-in-the-sandbox',
    'Only the sandbox pays by itself: no code of production knows a simulated payer.',
    productOf(`^${source}/modules/(?!sandbox/)`),
    { path: `^${source}/rails/payer-rail\\.ts$` },
  ),
  rule(
    'only-stores-speak-sql',
    'SQL stands in store.ts or store/ of its module, where the rule of tenants is checked.',
    { path: `^${source}/(modules|rails|kernel)/`, pathNot: [tests, stores] },
    { path: [`^${source}/platform/(database/statement|sql)`, `${packages}(@types/)?pg/`] },
  ),
];

const apart = [
  rule(
    'contract-needs-typebox-only',
    'SDKs, pages and documents read the contract: it must cost them nothing.',
    productOf('^contract/'),
    { pathNot: ['^contract/', `${packages}typebox/`] },
  ),
  rule(
    'pages-see-the-contract',
    'Pages, SDK and command line know the promise, never what keeps it.',
    productOf('^(web|sdk|cli)/'),
    { path: `^(service|simulator|test|tools)/` },
  ),
  rule(
    'workspaces-apart',
    'A page does not borrow from another page.',
    productOf('^(web/[^/]+|sdk/[^/]+|cli)/'),
    { path: '^(web|sdk|cli)/', pathNot: '^$1/' },
  ),
  rule(
    'world-is-apart',
    'Banks and processors speak public standards: the simulator shares no code with the house.',
    { path: '^simulator/' },
    { path: '^(service|contract|web|sdk|cli)/' },
  ),
  rule(
    'house-is-apart-from-the-world',
    'Nothing in the house knows that its world is simulated.',
    productOf('^(service|contract|web|sdk|cli)/'),
    { path: '^simulator/' },
  ),
];

const hygiene = [
  rule('no-circles', 'A circle has no first part to understand.', {}, { circular: true }),
  rule(
    'floors-by-name',
    'Across floors #floor/…, inside ./ or ../: the import line tells how far it goes.',
    productOf(`^${source}/([^/]+)/`),
    {
      path: `^${source}/`,
      pathNot: `^${source}/$1/`,
      dependencyTypesNot: ['aliased-subpath-import'],
    },
  ),
  rule(
    'workspaces-by-name',
    'Another workspace is imported by its package name, so that it must be declared.',
    productOf('^(contract|service|simulator|web/[^/]+|sdk/[^/]+|cli)/'),
    {
      path: '^(contract|service|simulator|web|sdk|cli)/',
      pathNot: '^$1/',
      dependencyTypes: ['local'],
    },
  ),
  rule(
    'nothing-for-tests-in-the-product',
    'A package for development or a test is not there where the product runs.',
    productOf('^(contract|service|simulator|web|sdk|cli)/'),
    { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
  ),
  rule(
    'no-test-in-the-product',
    'Tests know the product, not the other way round.',
    productOf('^(contract|service|simulator|web|sdk|cli)/'),
    { path: tests },
  ),
  rule('resolvable', 'What cannot be found cannot be judged.', {}, { couldNotResolve: true }),
];

module.exports = {
  forbidden: [...floors, ...rooms, ...folderOrder, ...apart, ...hygiene],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.florin/', '/generated/', '/fixtures/'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
