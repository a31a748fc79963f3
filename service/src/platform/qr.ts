import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import encodeQR from 'qr';
import { metrics } from './metrics.ts';

const quietModules = 4;

/** A QR code as a square of modules, true where it is dark. */
const modulesOf = (text: string): boolean[][] =>
  encodeQR(text, 'raw', { ecc: 'medium', border: quietModules });

/** Its side in modules, and the strokes of its dark ones: for a page that draws it by itself. */
export const qrDrawing = (text: string): { readonly size: number; readonly path: string } => {
  const modules = modulesOf(text);
  return { size: modules.length, path: pathOf(modules) };
};

export const qrSvg = (text: string): string => {
  const { size, path } = qrDrawing(text);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" ` +
    `shape-rendering="crispEdges" role="img"><path fill="#fff" d="M0 0h${size}v${size}H0z"/>` +
    `<path stroke="#000" d="${path}"/></svg>`
  );
};

/**
 * One line a module high for each dark run: a third of a square for each module. Rows go from the last
 * to the first, so that no number needs a space before it, which an address writes as three characters.
 */
const pathOf = (modules: readonly (readonly boolean[])[]): string => {
  let path = `M0 ${modules.length - 0.5}`;
  let [drawnTo, rowsUp] = [0, 0];
  for (const row of modules.toReversed()) {
    for (const { from, to } of darkRuns(row)) {
      path += `m${from - drawnTo}-${rowsUp}h${to - from}`;
      [drawnTo, rowsUp] = [to, 0];
    }
    rowsUp += 1;
  }
  return path;
};

const darkRuns = (row: readonly boolean[]): readonly { from: number; to: number }[] => {
  const starts = row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [x] : []));
  return starts.map((from) => {
    const light = row.indexOf(false, from);
    return { from, to: light === -1 ? row.length : light };
  });
};

const pngScale = 8;

/** One bit a pixel with a transparent ground, for any paper. */
export const qrPng = (text: string): Buffer => {
  const modules = modulesOf(text);
  const size = modules.length * pngScale;
  const rowBytes = Math.ceil(size / 8);
  const rows = modules.flatMap((row) => {
    const line = Buffer.alloc(rowBytes + 1);
    for (let x = 0; x < size; x += 1) if (row[Math.floor(x / pngScale)]) setBit(line, x);
    return Array.from({ length: pngScale }, () => line);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([255, 255, 255, 0, 0, 0])),
    chunk('tRNS', Buffer.from([0, 255])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const setBit = (line: Buffer, x: number): void => {
  const at = 1 + (x >> 3);
  line[at] = (line[at] ?? 0) | (0x80 >> (x & 7));
};

const chunk = (name: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
};

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

const crc32 = (content: Buffer): number => {
  let crc = 0xffffffff;
  for (const byte of content) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
};

const folderOf = (name: string): string =>
  dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

/**
 * An SVG of ours as PNG, this many pixels wide, with the fonts that Florin brings along. Drawn on a thread
 * of its own: it takes many milliseconds.
 */
export const drawPng = async (svg: string, widthPixels: number): Promise<Buffer> => {
  metrics.add('florin_images_drawn_total', 1);
  // Loaded by the first image: 7 MB.
  const { renderAsync } = await import('@resvg/resvg-js');
  const drawn = await renderAsync(svg, {
    fitTo: { mode: 'width', value: widthPixels },
    font: drawnFonts,
  });
  return drawn.asPng();
};

/** As large as it fits into a box. Only of an SVG that is known to read nothing from elsewhere. */
export const drawPngWithin = async (
  svg: string,
  { widthPixels, heightPixels }: { readonly widthPixels: number; readonly heightPixels: number },
): Promise<Buffer> => {
  metrics.add('florin_images_drawn_total', 1);
  const { Resvg, renderAsync } = await import('@resvg/resvg-js');
  const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
  const isWider = width * heightPixels > height * widthPixels;
  const drawn = await renderAsync(svg, {
    fitTo: isWider
      ? { mode: 'width', value: widthPixels }
      : { mode: 'height', value: heightPixels },
    font: drawnFonts,
  });
  return drawn.asPng();
};

/** Without font files the drawer omits text silently. */
export const drawnFonts = {
  fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) =>
    join(folderOf('dejavu-fonts-ttf'), 'ttf', name),
  ),
  loadSystemFonts: false,
  defaultFontFamily: 'DejaVu Sans',
};

/** Of paper: the face that pages have where a system has none of its own. */
export const paperFonts = ['400Regular', '700Bold'].map((weight) =>
  join(folderOf('@expo-google-fonts/noto-sans'), weight, `NotoSans_${weight}.ttf`),
);
