import { createHash } from 'node:crypto';
import type { CheckoutCardFields } from '@florin/contract';
import { pageStyles } from './checkout-assets.ts';

export type ContentSecurityOptions = {
  /** The merchant of the page: its styles are allowed by their hash. */
  readonly accentColour?: string | null;
  /**
   * Targets of a payment form besides this server. Chromium checks the whole chain of redirects
   * after a form against `form-action`, and a bank redirects the payer to its own hosts, which
   * cannot be listed: the default is any https address, and loopback for simulated banks.
   */
  readonly formTargets?: readonly string[];
  /** One more, such as the app of a merchant to which a form leads back. */
  readonly alsoTo?: string | null;
  /** The card processor whose fields stand in the page: no other page names its origins. */
  readonly processor?: CheckoutCardFields['sources'] | null;
  /** Who asks the holder of a saved card in a frame of the page, which a form of ours opens. */
  readonly challenge?: readonly string[] | null;
  /** Pages of these origins may show it in a frame; by default none may. */
  readonly ancestors?: readonly string[];
  /** A picture of the page in a frame of ours: it runs, sends and opens nothing, and has no origin. */
  readonly isPreview?: boolean;
};

const anyBank = ['https:', 'http://localhost:*', 'http://127.0.0.1:*'];

const maxHashes = 1_000;

const isSource = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/[A-Za-z0-9.:*[\]-]+)?$/;

const hashes = new Map<string, string>();

export const contentSecurityPolicy = ({
  accentColour = null,
  formTargets = anyBank,
  alsoTo = null,
  processor = null,
  challenge = null,
  ancestors = [],
  isPreview = false,
}: ContentSecurityOptions): string => {
  const styles = ['style-src', ...pageStyles(accentColour).map(hashOf)].join(' ');
  if (isPreview) return [...previewOnly, styles].join('; ');
  const targets = alsoTo === null ? formTargets : [...formTargets, alsoTo];
  const { scripts = [], frames = [], connections = [], pictures = [] } = processor ?? {};
  const named = [targets, scripts, frames, connections, pictures, challenge ?? []].flat();
  const wrong = named.find((target) => !isSource.test(target));
  if (wrong !== undefined) throw new Error(`not an origin: ${wrong}`);
  return [
    "default-src 'none'",
    styles,
    ["script-src 'self'", ...scripts].join(' '),
    ["img-src 'self' data:", ...pictures].join(' '),
    ["connect-src 'self'", ...connections].join(' '),
    ...(processor ? [['frame-src', ...frames].join(' ')] : []),
    ...(challenge ? [["frame-src 'self'", ...challenge].join(' ')] : []),
    ['form-action', "'self'", ...targets].join(' '),
    "base-uri 'none'",
    ['frame-ancestors', ...framedBy(ancestors)].join(' '),
    "require-trusted-types-for 'script'",
    // Its script loads others: our own script lets it make their addresses, and nothing else.
    processor ? 'trusted-types default' : "trusted-types 'none'",
  ].join('; ');
};

/** What a merchant lists is a source of a policy, or is left out. */
const framedBy = (origins: readonly string[]): readonly string[] => {
  const sources = origins.filter((origin) => isSource.test(origin));
  return sources.length > 0 ? sources : ["'none'"];
};

const previewOnly = [
  "default-src 'none'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox',
];

const hashOf = (style: string): string => {
  const known = hashes.get(style);
  if (known !== undefined) return known;
  const hash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  if (hashes.size < maxHashes) hashes.set(style, hash);
  return hash;
};
