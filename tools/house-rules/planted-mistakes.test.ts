import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { edited, mistakes } from '../planted-mistakes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// The long run that plants them is rare: a mistake whose place has changed is found here.
test.each(mistakes)('can be planted: $name', ({ edits }) => {
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const original = readFileSync(root + path, 'utf8');
    const own = edits.filter((edit) => edit.path === path);
    expect(edited(original, path, own)).not.toBe(original);
  }
});
