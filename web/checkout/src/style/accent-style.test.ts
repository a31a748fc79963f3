import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentStyle } from './accent-style.ts';
import { contrast } from './contrast.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => n.toString(16).padStart(6, '0'));

const valuesOf = (style: string) =>
  [
    ...style.matchAll(/--accent:#(\w{6});--on-accent:#(\w{6});--fill:#(\w{6});--on-fill:#(\w{6})/g),
  ].map(([, accent = '', onAccent = '', fill = '', onFill = '']) => ({
    accent,
    onAccent,
    fill,
    onFill,
  }));

test('any accent colour has enough contrast in light and dark', () => {
  fc.assert(
    fc.property(hex, (colour) => {
      const [light, dark] = valuesOf(accentStyle(colour) ?? '');
      for (const [theme, ratio, grounds] of [
        [light, 4.5, ['ffffff', 'f4f6f9', 'eef1f6']],
        [dark, 7, ['171b22', '0e1116', '20262f']],
      ] as const) {
        for (const ground of grounds)
          expect(contrast(theme?.accent ?? '', ground)).toBeGreaterThanOrEqual(ratio);
        expect(contrast(theme?.accent ?? '', theme?.onAccent ?? '')).toBeGreaterThanOrEqual(4.5);
        expect(contrast(theme?.fill ?? '', theme?.onFill ?? '')).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test('a readable colour is not changed', () => {
  expect(accentStyle('#1F4E79')).toContain('--accent:#1f4e79');
  expect(accentStyle('ffd400')).toContain('--fill:#ffd400;--on-fill:#000000');
});

test.each(['red', '#12345', '}body{display:none', ''])('%j is not a colour', (colour) => {
  expect(accentStyle(colour)).toBeNull();
});
