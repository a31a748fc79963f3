import { Resvg } from '@resvg/resvg-js';
import jsqr from 'jsqr';

const scan = jsqr as unknown as (
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
) => { readonly data: string } | null;

const width = 800;
const height = 1400;

/** What a camera reads from an image on white paper; undefined when it reads nothing. */
export const readCode = (type: string, image: Buffer): string | undefined => {
  const size = `width="${width}" height="${height}"`;
  const paper =
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="#fff"/>` +
    `<image ${size} href="data:${type};base64,${image.toString('base64')}"/></svg>`;
  const { pixels } = new Resvg(paper).render();
  return scan(new Uint8ClampedArray(pixels), width, height)?.data;
};
