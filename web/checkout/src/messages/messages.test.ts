import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { locales } from '../language/locales.ts';
import { catalogues } from './index.ts';

const { en } = catalogues;
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test.each(locales)('%s fills in what English fills in, for every message', (locale) => {
  for (const [key, text] of Object.entries(en)) {
    const said = catalogues[locale][key as keyof typeof en];
    expect(said.trim(), key).not.toBe('');
    expect(placeholders(said), `${locale} ${key}`).toEqual(placeholders(text));
  }
});

const borrowed = new Set(
  'terms privacy kindPersonal note receipt reference email total'.split(' '),
);

test.each(locales.filter((locale) => locale !== 'en'))('%s is translated', (locale) => {
  for (const [key, text] of Object.entries(en))
    if (!borrowed.has(key))
      expect(catalogues[locale][key as keyof typeof en], `${locale} ${key}`).not.toBe(text);
});

test('every message is used by a page', () => {
  const root = new URL('../', import.meta.url);
  const code = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('messages'))
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
    .join('\n');
  expect(Object.keys(en).filter((key) => !code.includes(`'${key}'`))).toEqual([]);
});
