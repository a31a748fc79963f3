import { readFileSync, writeFileSync } from 'node:fs';
import { openBrowser } from './test/harness/browser/open-browser.ts';
const [out, ...files] = process.argv.slice(2);
const b = await openBrowser();
const p = await b.newPage({ viewport: { width: Number(process.env.W ?? 1600), height: 860 } });
await p.setContent(`<body style="margin:0;display:flex;gap:8px;background:#888;align-items:flex-start">${files.map((f) => `<img style="max-height:850px" src="data:image/png;base64,${readFileSync(f).toString('base64')}">`).join('')}`);
await p.waitForTimeout(200);
await p.screenshot({ path: out });
await b.close();
