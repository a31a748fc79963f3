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

/** Files named by a role that has many parts: an entry point, tests, messages, programs, settings. */
const roles = [
  /(^|\/)index\.ts$/,
  /\.test\.tsx?$/,
  /\.test-program\.ts$/,
  /\.d\.ts$/,
  /\.config\.ts$/,
  /(^|\/)(messages|limits|settings|store|jobs|ports)\.ts$/,
  /(^|\/)messages\//,
  /(^|\/)store\//,
  /(^|\/)fixtures\//,
];

// One thing in several exports: each of them is found by searching for the name of the file.
const areOneThing = (stem: string, exports: readonly Export[]) =>
  exports.every(({ name }) => ` ${words(name)} `.includes(` ${words(stem)} `));

const findNamed = (stem: string, exports: readonly Export[]) => {
  if (stem.endsWith('-routes')) return exports.find(({ name }) => /Routes$/.test(name));
  return exports.find(({ name }) => flat(name) === flat(stem));
};

/** A file exports what its name says, and that comes first. A program exports nothing. */
export const fileExports = ({ path, text }: SourceFile): readonly Complaint[] => {
  if (!/\.tsx?$/.test(path) || roles.some((role) => role.test(path))) return [];
  const exports = listExports(text);
  const stem = (path.split('/').at(-1) ?? '').replace(/\.tsx?$/, '');
  if (exports.length === 0 || areOneThing(stem, exports)) return [];
  const named = findNamed(stem, exports);
  if (!named) return [{ path, line: 0, says: `exports nothing named ${stem}` }];
  const first = exports.find(({ isType }) => isType === named.isType);
  if (first === named) return [];
  return [{ path, line: 0, says: `exports ${first?.name} before ${named.name}` }];
};
