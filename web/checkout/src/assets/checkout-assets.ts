import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { accentStyle } from '../style/accent-style.ts';

export type CheckoutAsset = { readonly body: string; readonly path: string };

export type CheckoutAssets = {
  /** Stands in every page. */
  readonly style: string;
  /** Served at its path, for ever. */
  readonly script: CheckoutAsset;
  /** Of the page with the card processor's fields. */
  readonly cardScript: CheckoutAsset;
  /** Of the page with which a card payment in a dialog ends: all that it does is to tell the dialog. */
  readonly cardEnd: CheckoutAsset;
  /** Loaded by pages of merchants, so its path stays. */
  readonly cardForm: CheckoutAsset;
};

/** Styles and script as they are served, made once at the first call. */
export const checkoutAssets = (): CheckoutAssets => {
  made ??= {
    style: build('../style/checkout.css').trim(),
    script: scriptAsset('checkout'),
    cardScript: scriptAsset('card-fields'),
    cardEnd: scriptAsset('card-end'),
    cardForm: { body: build('../script/card-form.ts'), path: '/card-form.js' },
  };
  return made;
};

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const build = (name: string): string => {
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

const scriptAsset = (name: string): CheckoutAsset => {
  const body = build(`../script/${name}.ts`);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, hashLength);
  return { body, path: `/assets/${name}-${hash}.js` };
};

let made: CheckoutAssets | null = null;

/** The inline styles of a page, so that it is drawn with its first bytes. */
export const pageStyles = (accentColour: string | null): readonly string[] => {
  const accent = accentStyle(accentColour);
  const { style } = checkoutAssets();
  return accent === null ? [style] : [style, accent];
};
