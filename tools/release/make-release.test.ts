import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashSources, readBundle } from '@florin/dashboard/bundle.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prebuilt } from '../../service/src/programs/dashboard/open-bundle.ts';
import { makeRelease } from './make-release.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-release-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a release holds what is committed and the dashboard, built', async () => {
  const archive = await makeRelease(folder);
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
  const [top = ''] = (await readdir(folder)).filter((name) => /^florin-[\d.]+$/.test(name));
  expect((await stat(join(folder, top, 'package-lock.json'))).isFile()).toBe(true);
  const bundle = await readBundle(join(folder, top, prebuilt, await hashSources()));
  expect(bundle?.page).toContain('<div id="root">');
  expect(bundle?.assets.size).toBeGreaterThan(20);
}, 90_000);
