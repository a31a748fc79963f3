import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { auditPackages } from './audit-packages.ts';
import { listUncommitted, makeRelease, moveTo, signRelease } from './make-release.ts';
import { freezeMigrations, migrationFolders } from './released-migrations.ts';

/**
 * `npm run release [folder]`: an archive that needs Node and nothing else where it is started, its list of
 * packages, and their signed sums. It holds its own list of released migrations, so the first run of a
 * version with new ones writes that list and no archive.
 */
const [folder = '.'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
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
// What is shipped may hold no package with a known weakness; `--unaudited` ships one all the same.
if (!process.argv.includes('--unaudited') && !(await auditPackages())) process.exit(1);
const keyFile = process.env.RELEASE_SIGNING_KEY_FILE;
if (!keyFile)
  console.error(
    'Not signed: RELEASE_SIGNING_KEY_FILE names no key. docs/OPERATING.md says how to make one.',
  );
const draft = await mkdtemp(join(resolve(folder), 'florin-release-'));
try {
  const made = await makeRelease(draft);
  const signed = await signRelease(draft, made, keyFile ? await readFile(keyFile, 'utf8') : null);
  console.log((await moveTo(resolve(folder), [...made, ...signed])).join('\n'));
} finally {
  await rm(draft, { recursive: true, force: true });
}
