import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oldestProgramOf } from '../../service/src/platform/database/migrate.ts';

/** Both keep data that a released program wrote. */
export const migrationFolders = ['service/migrations', 'simulator/migrations'] as const;

/** In each of them, as `sha256sum` writes it: what a release has frozen. */
const list = 'released.sha256';

const heading = `# Migrations of released versions: none changes, and none goes (docs/CHANGING.md).
# Only \`npm run release\` writes here: it adds those that are new.
`;

/** What has become of the released migrations of a folder: nothing, or a sentence for each that is wrong. */
export const findBrokenMigrations = async (folder: string): Promise<readonly string[]> => {
  const released = await readReleased(folder);
  const present = await hashMigrations(folder);
  const last = [...released.keys()].sort().at(-1) ?? '';
  return [
    ...[...released].flatMap(([name, hash]) => {
      if (!present.has(name)) return [`${name} is gone`];
      return present.get(name) === hash ? [] : [`${name} has changed`];
    }),
    ...[...present.keys()]
      .filter((name) => !released.has(name) && name < last)
      .map((name) => `${name} comes before ${last}, which is released`),
    ...(await findLonely(folder, [...present.keys()], released)),
  ];
};

/** What is new after a release lets its programs go on (docs/OPERATING.md, "A new version"). */
const findLonely = async (
  folder: string,
  present: readonly string[],
  released: ReadonlyMap<string, string>,
): Promise<readonly string[]> => {
  if (released.size === 0) return [];
  const lonely: string[] = [];
  for (const name of present.filter((each) => !released.has(each))) {
    const oldest = oldestProgramOf(await readFile(join(folder, name), 'utf8'));
    if (!oldest || !released.has(oldest))
      lonely.push(`${name} names no released migration as its "-- oldest program:"`);
  }
  return lonely;
};

/** Adds the migrations that are new in a release, and answers their names. */
export const freezeMigrations = async (folder: string): Promise<readonly string[]> => {
  const broken = await findBrokenMigrations(folder);
  if (broken.length > 0) throw new Error(`A released migration stays: ${broken.join(', ')}`);
  const released = await readReleased(folder);
  const present = await hashMigrations(folder);
  const added = [...present.keys()].filter((name) => !released.has(name));
  const lines = [...present].map(([name, hash]) => `${hash}  ${name}\n`);
  if (added.length > 0) await writeFile(join(folder, list), heading + lines.join(''));
  return added;
};

const readReleased = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const text = await readFile(join(folder, list), 'utf8');
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, hash = '', name = '']) => [
      name,
      hash,
    ]),
  );
};

const hashMigrations = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => {
        const text = await readFile(join(folder, name));
        return [name, createHash('sha256').update(text).digest('hex')];
      }),
    ),
  );
};
