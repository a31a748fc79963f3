export { type Bundle, type BundleFile, readBundle } from './bundle.ts';
export { hashSources } from './hash-sources.ts';
