import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generate } from '../../tools/generate.ts';

test('generated files are up to date', async () => {
  for (const [path, content] of await generate()) {
    const committed = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(committed === content, `${path} is behind: run npm run generate`).toBe(true);
  }
});
