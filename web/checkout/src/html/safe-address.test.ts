import { expect, test } from 'vitest';
import { safeAddress, safeImageAddress } from './safe-address.ts';

test.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'intent://x#Intent;end',
  'blob:https://x/y',
  'about:blank',
  '/thanks',
  'not an address',
])('rejects %s', (address) => {
  expect(safeAddress(address)).toBeNull();
});

test('accepts the web and the schemes of apps', () => {
  expect(safeAddress('https://shop.example/a?b="c"')).toBe('https://shop.example/a?b=%22c%22');
  expect(safeAddress('shopapp://paid?x=1')).toBe('shopapp://paid?x=1');
});

test('rejects images from other servers', () => {
  expect(safeImageAddress('/images/shop.png')).toBe('/images/shop.png');
  expect(safeImageAddress('data:image/png;base64,AAAA')).toBe('data:image/png;base64,AAAA');
  for (const address of ['https://x.example/a.png', '//x.example/a.png', '/\\x.example', null])
    expect(safeImageAddress(address)).toBeNull();
  expect(safeImageAddress('data:image/svg+xml,<svg onload="x"/>')).toBeNull();
  expect(safeImageAddress('data:text/html;base64,AAAA')).toBeNull();
});
