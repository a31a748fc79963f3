import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listSourceFiles } from '../house-rules/list-source-files.ts';
import { asAscii, compileRelease } from './compile-release.ts';

test('the programs of a release hold nothing but ASCII, so V8 keeps a byte of each letter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-compiled-'));
  await compileRelease(folder, '0123456789ab');
  const programs = join(folder, 'service', 'programs');
  const names = await readdir(programs);
  expect(names).toEqual(expect.arrayContaining(['api.mjs', 'worker.mjs', 'set-up.mjs']));
  for (const name of names)
    expect(await readFile(join(programs, name), 'latin1'), name).not.toMatch(/[^\0-\x7f]/);
  // What an API loads at its start: the SDK of the card processor, 6 MB, comes with the first card.
  const loaded = new Set(['api.mjs']);
  for (const name of loaded) {
    const text = await readFile(join(programs, name), 'utf8');
    for (const [, part = ''] of text.matchAll(/^(?:import|\} from) ?"\.\/(part-\w+\.mjs)";$/gm))
      loaded.add(part);
    expect(text, name).not.toContain('StripeResource');
  }
  expect(loaded.size).toBeGreaterThan(5);
  await rm(folder, { recursive: true });
});

test('what is written in ASCII means the same', async () => {
  const source =
    'const html = (parts) => parts.join("");\n' +
    'export default [html`£ • 😀`, "’", /^[＝😀]$/u.test("😀"), /[；￡]/g.test("￡")];';
  const written = asAscii(source);
  expect(written).not.toMatch(/[^\0-\x7f]/);
  const { default: values } = await import(`data:text/javascript,${encodeURIComponent(written)}`);
  expect(values).toEqual(['£ • 😀', '’', true, true]);
});

test('no text is taken as it is written that would change in ASCII', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const raw = listSourceFiles(root)
    .filter(({ path }) => /^(?:contract|service|simulator|web)\//.test(path))
    .flatMap(({ text }) => text.match(/String\.raw`[^`]*`|\.raw\b(?!`)[^\n]*/g) ?? []);
  expect(raw.length).toBeGreaterThan(0);
  expect(raw.filter((text) => /[^\0-\x7f]/.test(text))).toEqual([]);
});
