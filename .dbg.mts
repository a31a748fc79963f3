import { openBrowser } from './test/harness/browser/open-browser.ts';
import { servePages } from './web/checkout/src/test/serve-pages.ts';
import { openAddress, serveSamples, visit } from './web/checkout/src/test/visit.ts';
const [browser, server] = await Promise.all([openBrowser(), servePages()]);
serveSamples(server,'en');
const { page } = await visit(browser);
for (const n of process.argv.slice(2)) {
await openAddress(page, `${server.origin}/en/${n}`);
console.log(n, await page.evaluate(`[getComputedStyle(document.querySelector('.amount')).color, document.querySelector('.button')?.getBoundingClientRect().bottom]`));
}
await browser.close(); await server.close();
