import { createHash } from 'node:crypto';
import { isUuid } from '#kernel/is-uuid.ts';
import { wrongField } from '#platform/http/error-reply.ts';
import { type PictureExtension, pictureExtension } from '#platform/pictures.ts';
import type { Uses } from '#platform/tools.ts';
import { besideShapes } from './drawing.ts';
import { findLogo } from './store/merchants.ts';

/** Undefined leaves the logo as it is; null takes it away, as empty values say in the statement. */
export const checkLogo = (address: string | null | undefined): Logo => {
  if (address === undefined) return { logo: null, logoFile: null };
  if (address === null) return { logo: Buffer.alloc(0), logoFile: '' };
  const logo = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  const extension = pictureExtension(logo);
  if (extension && address.startsWith(`data:${pictureTypes[extension]};`)) {
    const found = extension === 'svg' ? besideShapes(logo.toString('utf8')) : null;
    if (found)
      throw wrongField(
        'logo',
        `may hold shapes alone, and this holds ${found}: save it as a plain SVG`,
      );
    const hash = createHash('sha256').update(logo).digest('hex');
    const shape = isNarrow(logo, extension) ? '-square' : '';
    return { logo, logoFile: `${hash.slice(0, 32)}${shape}.${extension}` };
  }
  throw wrongField('logo', 'must be an SVG or PNG of at most 32 KB, and of the type that it names');
};

/** No wider than high: its name says so, and a page gives it no more room. */
const isNarrow = (logo: Buffer, extension: PictureExtension): boolean => {
  const [width = 0, height = 0] = extension === 'png' ? sizeOfPng(logo) : sizeOfSvg(logo);
  return width > 0 && width <= height;
};

const pngWidthAt = 16;
const pngHeightAt = 20;

const sizeOfPng = (logo: Buffer): readonly number[] =>
  logo.length < pngHeightAt + 4
    ? []
    : [logo.readUInt32BE(pngWidthAt), logo.readUInt32BE(pngHeightAt)];

const sizeOfSvg = (logo: Buffer): readonly number[] => {
  const [start = ''] = /<svg[\s>][^>]*/.exec(logo.toString('utf8')) ?? [];
  const view = /viewBox=["'][\d.-]+[\s,]+[\d.-]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(start);
  const own = ['width', 'height'].map(
    (name) => new RegExp(`\\s${name}=["']([\\d.]+)`).exec(start)?.[1],
  );
  return (view ? view.slice(1) : own).map(Number);
};

type Logo = { readonly logo: Buffer | null; readonly logoFile: string | null };

export const pictureTypes: Readonly<Record<PictureExtension, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** The logo under this name; null where the merchant has none or another one. */
export const readLogo = async (
  { database }: Uses<'database'>,
  merchantId: string,
  logoFile: string,
): Promise<Buffer | null> => {
  if (!isUuid(merchantId)) return null;
  const [row] = await database.tenant(merchantId, findLogo, { merchantId, logoFile });
  return row?.logo ?? null;
};
