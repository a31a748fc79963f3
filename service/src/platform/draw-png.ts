import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import { metrics } from './metrics.ts';

const fontFolder = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf',
);

/**
 * An SVG of ours as PNG, this many pixels wide, with the fonts that Florin brings along. Drawn on a thread
 * of its own: it takes many milliseconds.
 */
export const drawPng = async (svg: string, widthPixels: number): Promise<Buffer> => {
  metrics.add('florin_images_drawn_total', 1);
  const drawn = await renderAsync(svg, {
    fitTo: { mode: 'width', value: widthPixels },
    font: drawnFonts,
  });
  return drawn.asPng();
};

/** Without font files the drawer omits text silently. */
export const drawnFonts = {
  fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => join(fontFolder, name)),
  loadSystemFonts: false,
  defaultFontFamily: 'DejaVu Sans',
};
