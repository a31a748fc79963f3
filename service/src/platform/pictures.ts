import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@florin/contract';

export type PictureExtension = 'svg' | 'png';

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');

/** By its bytes, whatever its name says; null for what is neither, or too large. */
export const pictureExtension = (picture: Buffer): PictureExtension | null => {
  if (picture.length > limits.pictureBytes) return null;
  if (picture.subarray(0, pngStart.length).equals(pngStart)) return 'png';
  return isSvg(picture) ? 'svg' : null;
};

const isSvg = (picture: Buffer): boolean => /<svg[\s>]/.test(picture.toString('utf8'));

type PictureKind = 'banks' | 'merchants';

export type Pictures = {
  /** The SVG as it was put there, or null. */
  readonly find: (kind: PictureKind, id: string) => Buffer | null;
};

const kinds: readonly PictureKind[] = ['banks', 'merchants'];
const svgFile = /^([\w-]{1,64})\.svg$/;

/**
 * Brand icons belong to their owners, so an installation brings its own. Read once at the start: a
 * request never reaches the disk. A wrong file ends the start, and says which.
 */
export const readPictures = (folder: string | null): Pictures => {
  const pictures = new Map(
    folder === null ? [] : kinds.flatMap((kind) => picturesOf(folder, kind)),
  );
  if (pictures.size > limits.pictures) throw new Error(`more than ${limits.pictures} pictures`);
  return { find: (kind, id) => pictures.get(`${kind}/${id}`) ?? null };
};

const picturesOf = (folder: string, kind: PictureKind): readonly (readonly [string, Buffer])[] => {
  const of = join(folder, kind);
  if (!existsSync(of)) return [];
  return readdirSync(of).flatMap((file) => {
    const id = svgFile.exec(file)?.[1];
    if (id === undefined) return [];
    const path = join(of, file);
    if (statSync(path).size > limits.pictureBytes)
      throw new Error(`${path} is larger than ${limits.pictureBytes} bytes`);
    const picture = readFileSync(path);
    if (!isSvg(picture)) throw new Error(`${path} is no SVG`);
    return [[`${kind}/${id}`, picture]] as const;
  });
};
