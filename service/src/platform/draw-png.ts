import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

const fontFolder = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf',
);

// Without font files the drawer omits text silently.
const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => join(fontFolder, name));

/** An SVG of ours as PNG, this many pixels wide, with the fonts that Florin brings along. */
export const drawPng = (svg: string, widthPixels: number): Buffer =>
  new Resvg(svg, {
    fitTo: { mode: 'width', value: widthPixels },
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' },
  })
    .render()
    .asPng();
