import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSourceFiles } from '../house-rules/list-source-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const store = new RegExp(
  String.raw`^service/src/(programs/(wiring/(look-for-work|cluster-epochs)|monitoring/observe)\.ts|` +
    String.raw`modules/dashboard/[^/]+\.ts|` +
    String.raw`(modules|platform)/.*(store\.ts|store/[^/]+\.ts))$`,
);

/** Makes every statement of every store, and answers how many their files write down. */
export const loadStores = async (): Promise<number> => {
  const files = listSourceFiles(root).filter(
    ({ path }) => store.test(path) && !path.endsWith('.test.ts'),
  );
  let written = 0;
  for (const { path } of files) {
    await import(join(root, path));
    const text = await readFile(join(root, path), 'utf8');
    written += text.match(/\bstatement[<(]/g)?.length ?? 0;
  }
  return written;
};
