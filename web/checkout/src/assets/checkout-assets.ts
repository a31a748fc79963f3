import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { accentStyle } from '../style/accent-style.ts';

export type CheckoutAsset = { readonly body: string; readonly path: string };

export type CheckoutAssets = {
  /** Stands in every page: all that the choice of a bank needs. */
  readonly style: string;
  /** Stands besides in every page but that one. */
  readonly reviewStyle: string;
  /** Stands besides in all others. */
  readonly laterStyle: string;
  /** Served at its path, for ever. */
  readonly script: CheckoutAsset;
  /** Of the page with the card processor's fields. */
  readonly cardScript: CheckoutAsset;
  /** Of the page with which a card payment in a dialog ends: all that it does is to tell the dialog. */
  readonly cardEnd: CheckoutAsset;
  /** Loaded by pages of merchants, so its path stays. */
  readonly cardForm: CheckoutAsset;
};

/** Where a release has them, since it has no bundler; in a clone this file is never there. */
export const prebuiltAssets = fileURLToPath(new URL('../../prebuilt.json', import.meta.url));

/** Styles and script as they are served, read or made once at the first call. */
export const checkoutAssets = (): CheckoutAssets => {
  made ??= existsSync(prebuiltAssets)
    ? (JSON.parse(readFileSync(prebuiltAssets, 'utf8')) as CheckoutAssets)
    : makeAssets();
  return made;
};

const makeAssets = (): CheckoutAssets => {
  // Needed here alone, and large.
  const { buildSync }: typeof import('esbuild') = createRequire(import.meta.url)('esbuild');
  const build = (name: string): string => bundle(buildSync, name);
  return {
    style: build('../style/checkout.css').trim(),
    reviewStyle: build('../style/review.css').trim(),
    laterStyle: build('../style/later.css').trim(),
    script: scriptAsset('checkout', build),
    cardScript: scriptAsset('card-fields', build),
    cardEnd: scriptAsset('card-end', build),
    cardForm: { body: build('../script/card-form.ts'), path: '/card-form.js' },
  };
};

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const bundle = (buildSync: typeof import('esbuild').buildSync, name: string): string => {
  const { outputFiles } = buildSync({
    entryPoints: [fileOf(name)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: name.endsWith('.ts') ? 'es2020' : 'esnext',
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: '{}',
    outdir: '/',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

const hashLength = 12;

const scriptAsset = (name: string, build: (name: string) => string): CheckoutAsset => {
  const body = build(`../script/${name}.ts`);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, hashLength);
  return { body, path: `/assets/${name}-${hash}.js` };
};

let made: CheckoutAssets | null = null;

/** Pages that a payer sees first have only what they need. */
export type StyleExtent = 'list' | 'review' | 'all';

/** The inline styles of a page, so that it is drawn with its first bytes. */
export const pageStyles = (
  accentColour: string | null,
  extent: StyleExtent = 'all',
): readonly string[] => {
  const { style, reviewStyle, laterStyle } = checkoutAssets();
  const count = { list: 1, review: 2, all: 3 }[extent];
  const styles = [style, reviewStyle, laterStyle].slice(0, count);
  const accent = accentStyle(accentColour);
  return accent === null ? styles : [...styles, accent];
};
