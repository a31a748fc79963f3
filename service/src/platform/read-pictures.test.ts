import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@florin/contract';
import { afterEach, expect, test } from 'vitest';
import { readPictures } from './pictures.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-pictures-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (file: string, content: string): void => {
  mkdirSync(join(folder, 'banks'), { recursive: true });
  writeFileSync(join(folder, 'banks', file), content);
};

test('finds the icon of a bank by its id, and nothing outside of the folder', () => {
  put('harbour.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  put('notes.txt', 'not an icon');
  const { find } = readPictures(folder);
  expect(find('banks', 'harbour')?.toString()).toContain('<svg');
  for (const id of ['notes', 'other', '../banks/harbour', '']) expect(find('banks', id)).toBeNull();
  expect(find('merchants', 'harbour')).toBeNull();
  expect(readPictures(null).find('banks', 'harbour')).toBeNull();
});

test.each([
  ['is larger than', `<svg>${' '.repeat(limits.pictureBytes)}</svg>`],
  ['is no SVG', '<html></html>'],
])('a file that %s ends the start', (says, content) => {
  put('harbour.svg', content);
  expect(() => readPictures(folder)).toThrow(says);
});
