import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { usualColour } from './usual-colour.ts';

test('the colour that is shown where none is chosen is that of the hosted page', async () => {
  const ground = new URL('../../../../checkout/src/style/ground.css', import.meta.url);
  expect(await readFile(ground, 'utf8')).toContain(`--accent: ${usualColour};`);
});
