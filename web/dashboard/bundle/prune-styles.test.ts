import { expect, test } from 'vitest';
import { pruneStyles } from './prune-styles.ts';

const scripts = ['const a={root:"m_aaaaaaaa",label:`m_bbbbbbbb`}'];

test.each([
  ['.m_aaaaaaaa{color:red}', '.m_aaaaaaaa{color:red}'],
  ['.m_cccccccc{color:red}', ''],
  ['.m_aaaaaaaa .m_cccccccc,.m_bbbbbbbb{color:red}', '.m_bbbbbbbb{color:red}'],
  ['.m_aaaaaaaa:not(.m_cccccccc){color:red}', '.m_aaaaaaaa:not(.m_cccccccc){color:red}'],
  ['@media print{.m_cccccccc{color:red}}', ''],
  [
    '@layer mantine{.m_aaaaaaaa{color:red}.m_cccccccc{color:red}}',
    '@layer mantine{.m_aaaaaaaa{color:red}}',
  ],
  [':root{--a:1px}.card_x1y2{color:red}', ':root{--a:1px}.card_x1y2{color:red}'],
  ['@layer mantine;', '@layer mantine;'],
])('of %s stays "%s"', (css, expected) => {
  expect(pruneStyles(css, scripts)).toBe(expected);
});
