import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import root from '../../package.json' with { type: 'json' };
import { readXml } from '../../service/src/rails/iso20022/xml.ts';
import { bankAppSettings } from '../../tools/describe/write-bank-apps.ts';

const sdk = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFile(join(sdk, path), 'utf8');
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

test.each(['dart', 'flutter'])('the package in %s is whole', async (folder) => {
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'analysis_options.yaml'])
    expect(existsSync(join(sdk, folder, name)), name).toBe(true);
  const pubspec = await read(`${folder}/pubspec.yaml`);
  expect(pubspec).toContain(`version: ${root.version}\n`);
  expect(pubspec).toContain('sdk: ^3.7.0');
  expect(await read(`${folder}/CHANGELOG.md`)).toContain(`## ${root.version}`);
  expect(await read(`${folder}/LICENSE`)).toBe(await readFile(join(sdk, '../LICENSE'), 'utf8'));
});

test('the core needs no package', async () => {
  expect(await read('dart/pubspec.yaml')).not.toMatch(/dependencies/);
});

test('the manifests of the example see the apps of every bank', async () => {
  const [android = '', ios = ''] = [...bankAppSettings().values()];
  const manifest = await read('flutter/example/android/app/src/main/AndroidManifest.xml');
  const list = await read('flutter/example/ios/Runner/Info.plist');
  expect(flat(manifest)).toContain(flat(android));
  expect(flat(list)).toContain(flat(ios));
  expect(android).toContain('<data android:scheme="zopa" />');
  expect(ios).toContain('<string>monzo</string>');
});

test('the manifests are XML', async () => {
  const manifest = await read('flutter/example/android/app/src/main/AndroidManifest.xml');
  expect(readXml(manifest).name).toBe('manifest');
  const list = await read('flutter/example/ios/Runner/Info.plist');
  expect(readXml(list.replace(/<!DOCTYPE[^>]*>/, '')).name).toBe('plist');
});

test('the lock file of the toolchain names the archive and its digest', async () => {
  const lock = JSON.parse(await read('toolchain/package-lock.json'));
  expect(Object.entries(lock.packages).slice(1)).toMatchObject([
    [
      'node_modules/sass-embedded-linux-ia32',
      { version: '1.89.0', integrity: expect.stringMatching(/^sha512-/) },
    ],
  ]);
});
