export { type Bundle, type BundleFile, readBundle, writeBundle } from './bundle.ts';
export { hashSources } from './hash-sources.ts';
