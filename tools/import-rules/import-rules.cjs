const { modules, foldersOfModules, foldersOfPlatform } = require('./module-order.cjs');

const source = 'service/src';
const tests = '(\\.test\\.ts$|\\.test-program\\.ts$|^test/|/test/|/testing/)';
// A page of the dashboard reads what it shows in its own file.
const stores = `^${source}/modules/(.+/store(\\.ts$|/)|dashboard/[^/]+\\.ts$)`;
const outside = '^(contract|web|sdk|cli|simulator|test|tools)/';
const packages = 'node_modules/';

const rule = (name, comment, from, to) => ({ name, comment, from, to });
const productOf = (path) => ({ path, pathNot: tests });

const layers = [
  rule(
    'kernel-is-pure',
    'Money, states and failures are decided without I/O: the kernel imports only itself.',
    productOf(`^${source}/kernel/`),
    { pathNot: `^${source}/kernel/` },
  ),
  rule(
    'platform-sees-kernel-and-contract',
    'The platform knows no business. It reads the contract, which it serves and checks.',
    productOf(`^${source}/platform/`),
    { path: `^${source}/|${outside}`, pathNot: [`^${source}/(platform|kernel)/`, '^contract/'] },
  ),
  rule(
    'rails-see-platform-and-kernel',
    'A rail translates between its provider and its port; it knows no module.',
    productOf(`^${source}/rails/`),
    { path: `^${source}/|${outside}`, pathNot: `^${source}/(rails|platform|kernel)/` },
  ),
  rule(
    'modules-see-no-programs',
    'Programs wire the modules, not the other way round. Pages come from web/checkout.',
    productOf(`^${source}/modules/`),
    {
      path: `^${source}/programs/|${outside}`,
      pathNot: ['^contract/', '^web/checkout/'],
    },
  ),
  rule(
    'programs-import-no-simulator',
    'The simulator is reached over HTTP, also where a program starts it.',
    productOf(`^${source}/programs/`),
    { path: outside, pathNot: ['^contract/', '^web/checkout/', '^web/dashboard/bundle/'] },
  ),
  rule(
    'rails-apart',
    'A rail knows its port, not another rail.',
    productOf(`^${source}/rails/([^/]+)`),
    { path: `^${source}/rails/[^/]+/`, pathNot: `^${source}/rails/$1/` },
  ),
];

const folderOrder = Object.entries(foldersOfModules).flatMap(([parent, groups]) => {
  const folder = `^${source}/modules/${parent}/`;
  const listed = groups.flat();
  const known = [...listed, 'store', 'test'].join('|');
  return [
    ...groups.flatMap((group, position) =>
      group.map((name) =>
        rule(
          `folder-order-${parent}/${name}`,
          'A folder of a module imports only those before it: no circle can grow between them.',
          productOf(`${folder}${name}/`),
          {
            path: folder,
            pathNot: `${folder}(${[name, ...groups.slice(0, position).flat()].join('|')})/`,
          },
        ),
      ),
    ),
    rule(
      `folder-has-a-position-${parent}`,
      'A new folder of a module takes its position in the order.',
      { path: `${folder}[^/]+/`, pathNot: `${folder}(${known})/` },
      {},
    ),
  ];
});

const platformOrder = foldersOfPlatform.slice(0, -1).flatMap((group, position) => {
  const later = foldersOfPlatform.slice(position + 1).flat();
  return group.map((name) =>
    rule(
      `platform-order-${name}`,
      'A folder of the platform imports only those before it: no circle can grow.',
      productOf(`^${source}/platform/${name}/`),
      { path: `^${source}/platform/(${later.join('|')})/` },
    ),
  );
});

const boundaries = [
  ...modules
    .slice(0, -1)
    .map((name, position) =>
      rule(
        `module-order-${name}`,
        'A module imports only those before it in the order of AGENTS.md: no circle can grow.',
        productOf(`^${source}/modules/${name}/`),
        { path: `^${source}/modules/(${modules.slice(position + 1).join('|')})/` },
      ),
    ),
  rule(
    'module-has-a-position',
    'A new module takes its position in the order, here and in AGENTS.md.',
    {
      path: `^${source}/modules/[^/]+/`,
      pathNot: `^${source}/modules/(${modules.join('|')})/`,
    },
    {},
  ),
  rule(
    'module-by-its-index',
    'index.ts is the only entry point: the files behind it may change freely.',
    { path: `^${source}/modules/([^/]+)/`, pathNot: tests },
    {
      path: `^${source}/modules/`,
      pathNot: [`^${source}/modules/$1/`, `^${source}/modules/[^/]+/index\\.ts$`],
    },
  ),
  rule(
    'programs-use-indexes',
    'Programs wire modules and rails through their index.ts as well; a rail may be one file.',
    productOf(`^${source}/programs/`),
    {
      path: `^${source}/(modules|rails)/`,
      pathNot: [`^${source}/(modules|rails)/[^/]+/index\\.ts$`, `^${source}/rails/[^/]+\\.ts$`],
    },
  ),
  rule(
    'modules-see-ports',
    'A module calls *-rail.ts; the program chooses the provider when it starts.',
    productOf(`^${source}/modules/`),
    { path: `^${source}/rails/`, pathNot: `^${source}/rails/[^/]+-rail\\.ts$` },
  ),
  rule(
    'payers-in-the-sandbox',
    'Only the sandbox pays by itself: production code imports no simulated payer.',
    productOf(`^${source}/modules/(?!sandbox/)`),
    { path: `^${source}/rails/payer-rail\\.ts$` },
  ),
  rule(
    'only-stores-speak-sql',
    'SQL stands in store.ts or store/ of its module, or in dashboard, where tools/tenant-sql checks it.',
    { path: `^${source}/(modules|rails|kernel)/`, pathNot: [tests, stores] },
    { path: [`^${source}/platform/(database/statement|sql)`, `${packages}(@types/)?pg/`] },
  ),
  rule(
    'sign-in-library-in-identity',
    'better-auth is entered in one folder, behind operations of ours: the rest of it stays out of reach.',
    {
      path: '^(service|contract|simulator|web|tools|test)/',
      pathNot: `^${source}/modules/people/identity/`,
    },
    { path: `${packages}(@better-auth/|better-auth/)` },
  ),
];

const apart = [
  rule(
    'contract-needs-typebox-only',
    'SDKs, pages and documents read the contract: it must not bring packages along.',
    productOf('^contract/'),
    { pathNot: ['^contract/', `${packages}typebox/`] },
  ),
  rule(
    'pages-see-the-contract',
    'Pages, SDK and command line know the contract, never the service.',
    productOf('^(web|sdk|cli)/'),
    { path: `^(service|simulator|test|tools)/` },
  ),
  rule(
    'workspaces-apart',
    'A workspace of pages does not import from another one.',
    productOf('^(web/[^/]+|sdk/[^/]+|cli)/'),
    { path: '^(web|sdk|cli)/', pathNot: '^$1/' },
  ),
  rule(
    'simulator-is-apart',
    'Banks and processors speak public standards: the simulator shares no code with the product.',
    { path: '^simulator/' },
    { path: '^(service|contract|web|sdk|cli)/' },
  ),
  rule(
    'product-is-apart-from-the-simulator',
    'The product does not know that its banks are simulated.',
    productOf('^(service|contract|web|sdk|cli)/'),
    { path: '^simulator/' },
  ),
];

const hygiene = [
  rule('no-circles', 'Circular imports have no first file to read.', {}, { circular: true }),
  rule(
    'layers-by-name',
    'Across layers #layer/…, inside ./ or ../: the import line shows how far it goes.',
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
    'A package for development or a test is not there where the product runs; the dashboard is built before.',
    productOf(
      String.raw`^((contract|service|simulator|web/checkout|sdk|cli)/|web/dashboard/bundle/bundle\.ts$)`,
    ),
    { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
  ),
  rule(
    'no-test-in-the-product',
    'Tests import the product, not the other way round.',
    productOf('^(contract|service|simulator|web|sdk|cli)/'),
    { path: tests },
  ),
  rule(
    'resolvable',
    'An import that cannot be found cannot be checked.',
    {},
    { couldNotResolve: true },
  ),
];

module.exports = [...layers, ...boundaries, ...folderOrder, ...platformOrder, ...apart, ...hygiene];
