import { mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { listUncommitted, makeRelease } from './make-release.ts';
import { freezeMigrations, migrationFolders } from './released-migrations.ts';

/**
 * `npm run release [folder]`: an archive that needs no bundler where it is started. It holds its own list of
 * released migrations, so the first run of a version with new ones writes that list and no archive.
 */
const [folder = '.'] = process.argv.slice(2);
const uncommitted = await listUncommitted();
if (uncommitted.length > 0) {
  console.error(`A release holds what is committed. Commit or remove:\n${uncommitted.join('\n')}`);
  process.exit(1);
}
const frozen = [];
for (const each of migrationFolders) frozen.push(...(await freezeMigrations(each)));
if (frozen.length > 0) {
  console.error(`These migrations stay as they are from now on. Commit their list, and run this again:
${frozen.join('\n')}`);
  process.exit(1);
}
const draft = await mkdtemp(join(resolve(folder), 'florin-release-'));
try {
  const archive = await makeRelease(draft);
  const target = join(resolve(folder), basename(archive));
  await rename(archive, target);
  console.log(target);
} finally {
  await rm(draft, { recursive: true, force: true });
}
