const refusedSchemes = new Set([
  'javascript:',
  'data:',
  'file:',
  'blob:',
  'vbscript:',
  'intent:',
  'about:',
  'view-source:',
]);

/** A merchant's address to leave for: the web, or an app's scheme. What could run is null. */
export const safeAddress = (address: string): string | null => {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return refusedSchemes.has(protocol) ? null : href;
};

// An SVG in an image runs no script and loads nothing.
const isImageData = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml);base64,[A-Za-z0-9+/=]+$/;
const isOwnPath = /^\/(?![/\\])/;

/**
 * Pictures come from our own server or are inside the page: third parties learn nothing of a payer.
 */
export const safeImageAddress = (address: string | null): string | null =>
  address !== null && (isOwnPath.test(address) || isImageData.test(address)) ? address : null;
