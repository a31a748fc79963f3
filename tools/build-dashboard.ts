import { openBundle } from '../service/src/programs/dashboard/open-bundle.ts';

/** `npm run build:dashboard`: the bundle in the cache, and what a first visit to each page loads. */
const { assets, firstLoads } = await openBundle();
for (const [page, files] of Object.entries(firstLoads)) {
  const kilobytes = (form: 'gzip' | 'br') =>
    files.reduce((sum, name) => sum + (assets.get(name)?.[form].length ?? 0), 0) / 1000;
  const sizes = `${kilobytes('gzip').toFixed(1)} KB gzip, ${kilobytes('br').toFixed(1)} KB brotli`;
  console.log(`${page.padEnd(20)} ${sizes}`);
}
