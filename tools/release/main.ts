import { mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { listUncommitted, makeRelease } from './make-release.ts';

/** `npm run release [folder]`: an archive that needs no bundler where it is started. */
const [folder = '.'] = process.argv.slice(2);
const uncommitted = await listUncommitted();
if (uncommitted.length > 0) {
  console.error(`A release holds what is committed. Commit or remove:\n${uncommitted.join('\n')}`);
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
