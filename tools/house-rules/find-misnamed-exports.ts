import type { Complaint, SourceFile } from './tidy-rules.ts';

const declared = /^export (?:async )?(const|let|function\*?|class|type|interface) ([\w$]+)/;
const listed = /^export (type )?\{([^}]*)\}/;
const exported = new RegExp(`${declared.source}|${listed.source}`, 'gm');

type Export = { readonly name: string; readonly isType: boolean };

const listNames = (braces: string, isType: boolean): readonly Export[] =>
  braces.split(',').flatMap((item) => {
    const name = item
      .trim()
      .split(/\s+as\s+/)
      .at(-1)
      ?.replace(/^type /, '');
    return name ? [{ name, isType: isType || item.trim().startsWith('type ') }] : [];
  });

const listExports = (text: string): readonly Export[] =>
  [...text.matchAll(exported)].flatMap(([, kind, name, type, braces]) =>
    name
      ? [{ name, isType: kind === 'type' || kind === 'interface' }]
      : listNames(braces ?? '', type !== undefined),
  );

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '');

const words = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/)
    .filter(Boolean)
    .map((word) => singular(word.toLowerCase()))
    .join(' ');

const flat = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

/** Kinds of files that hold several things of one role, each found by its own name. */
const kinds = [
  // Entry points, tests, declarations of types, configurations of tools.
  /(^|\/)index\.ts$/,
  /\.test\.tsx?$/,
  /\.test-program\.ts$/,
  /\.d\.ts$/,
  /\.config\.ts$/,
  // Lists by role: a constant of a list is searched for by its own name.
  /(^|\/)(messages|limits|settings|store|jobs|ports|fields)\.ts$/,
  /(^|\/)messages\//,
  /(^|\/)store\//,
  /(^|\/)fixtures\//,
  // What a payer or a merchant does in a test, step by step.
  /-steps\.ts$/,
];

// A page of types has no verb and no single name.
const isPageOfTypes = (path: string, exports: readonly Export[]) =>
  /(^|\/)(model|([a-z-]+-)?views)\.ts$/.test(path) && exports.every(({ isType }) => isType);

// A page of operations: an operation is named by its id in the contract or in the table of routes.
const isPageOfOperations = (text: string) =>
  /^export const \w+(: Operation =| = operation\()/m.test(text);

// One thing in several exports: each of them is found by searching for the name of the file.
const areOneThing = (stem: string, exports: readonly Export[]) =>
  exports.every(({ name }) => ` ${words(name)} `.includes(` ${words(stem)} `));

const findNamed = (stem: string, exports: readonly Export[]) => {
  if (stem.endsWith('-routes')) return exports.find(({ name }) => /Routes$/.test(name));
  return exports.find(({ name }) => flat(name) === flat(stem));
};

/** A file exports what its name says, and that comes first. A program exports nothing. */
export const findMisnamedExports = ({ path, text }: SourceFile): readonly Complaint[] => {
  if (!/\.tsx?$/.test(path) || kinds.some((kind) => kind.test(path))) return [];
  const exports = listExports(text);
  if (isPageOfTypes(path, exports) || isPageOfOperations(text)) return [];
  const stem = (path.split('/').at(-1) ?? '').replace(/\.tsx?$/, '');
  if (exports.length === 0 || areOneThing(stem, exports)) return [];
  const named = findNamed(stem, exports);
  if (!named) return [{ path, line: 0, says: `exports nothing named ${stem}` }];
  const first = exports.find(({ isType }) => isType === named.isType);
  if (first === named) return [];
  return [{ path, line: 0, says: `exports ${first?.name} before ${named.name}` }];
};
