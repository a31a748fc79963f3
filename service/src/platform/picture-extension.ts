import { limits } from '@florin/contract';

export type PictureExtension = 'svg' | 'png';

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');

/** By its bytes, whatever its name says; null for what is neither, or too large. */
export const pictureExtension = (picture: Buffer): PictureExtension | null => {
  if (picture.length > limits.pictureBytes) return null;
  if (picture.subarray(0, pngStart.length).equals(pngStart)) return 'png';
  return isSvg(picture) ? 'svg' : null;
};

export const isSvg = (picture: Buffer): boolean => /<svg[\s>]/.test(picture.toString('utf8'));
