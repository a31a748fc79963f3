import { readFile } from 'node:fs/promises';
import { failures, limits } from '@florin/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '#kernel/failure.ts';
import { compressText, type Encoding, encodingFor } from '#platform/http/compress-text.ts';
import { sendTagged } from '#platform/http/entity-tag.ts';
import { drawDocsPage } from './draw-docs-page.ts';
import { secureHtml } from './page-shell.ts';
import { type DocsPage, readOpenApi, readPages } from './read-pages.ts';
import { drawFound, findSections, sectionsOf } from './search-pages.ts';

type Text = { readonly type: string; readonly text: string };

const cacheControl = 'public, max-age=300';

/** The reference and the guides, from files of the repository, each read and compressed once. */
export const docsRoutes = (app: FastifyInstance): void => {
  const send = openCache();
  const pages = once(readPages);
  app.get('/openapi.json', (_, reply) =>
    send(reply, 'openapi', async () => ({ type: 'application/json', text: await readOpenApi() })),
  );
  app.get('/llms.txt', (_, reply) =>
    send(reply, 'llms', async () => ({ type: 'text/plain', text: listForModels(await pages()) })),
  );
  app.get('/docs/style.css', (_, reply) =>
    send(reply, 'style', async () => ({ type: 'text/css', text: await readStyles() })),
  );
  app.get('/docs/docs.js', (_, reply) =>
    send(reply, 'script', async () => ({
      type: 'text/javascript',
      text: await readOwn('docs.js'),
    })),
  );
  const sections = once(async () => sectionsOf(await pages()));
  app.get('/docs/search', async (request, reply) => {
    const { q } = request.query as { readonly q?: unknown };
    const searched = typeof q === 'string' ? q.trim().slice(0, limits.docsSearchLength) : '';
    const found = findSections(await sections(), searched);
    return secureHtml(reply).send(drawFound(searched, found));
  });
  app.get('/docs', async (_, reply) => reply.redirect('/docs/guides/quick-start', 302));
  app.get('/docs/*', async (request, reply) => {
    const { '*': wanted } = request.params as { readonly '*': string };
    const path = wanted.replace(/\/$/, '');
    const all = await pages();
    const found = all.find((each) => path === each.path || path === `${each.path}.md`);
    if (!found) throw new Failure(failures.notFound, { message: 'There is no page here.' });
    const isTwin = path.endsWith('.md');
    return send(reply, path, async () =>
      isTwin
        ? { type: 'text/markdown', text: found.markdown }
        : { type: 'text/html', text: drawDocsPage(found, all) },
    );
  });
};

const readStyles = async (): Promise<string> =>
  (await Promise.all(['style.css', 'examples.css'].map(readOwn))).join('\n');

const readOwn = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');

/** For language models: every page as Markdown, by its address. */
const listForModels = (pages: readonly DocsPage[]): string =>
  [
    '# Florin',
    '',
    '> A payments server: pay-by-bank and cards on a hosted page, saved cards, refunds, webhooks, a sandbox.',
    '',
    '- [OpenAPI 3.1](/openapi.json): every operation, event, failure and example',
    ...(['Guides', 'Reference', 'Rules'] as const).flatMap((group) => [
      '',
      `## ${group}`,
      '',
      ...pages
        .filter((page) => page.group === group)
        .map(({ path, title }) => `- [${title}](/docs/${path}.md)`),
    ]),
    '',
  ].join('\n');

const openCache = () => {
  const texts = new Map<string, Promise<Text>>();
  const bytes = new Map<string, Buffer>();
  const encoded = (key: string, text: string, encoding: Encoding): Buffer => {
    const name = `${encoding} ${key}`;
    const found = bytes.get(name) ?? compressText(text, encoding);
    bytes.set(name, found);
    return found;
  };
  // Keys are those of pages that exist: no caller can make the cache grow.
  return async (reply: FastifyReply, key: string, make: () => Promise<Text>) => {
    const making = texts.get(key) ?? make();
    texts.set(key, making);
    const { type, text } = await making;
    const encoding = encodingFor(reply.request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    secureHtml(reply)
      .header('content-type', `${type}; charset=utf-8`)
      .header('cache-control', cacheControl)
      .header('vary', 'accept-encoding');
    return sendTagged(reply, encoded(key, text, encoding));
  };
};

const once = <Value>(make: () => Promise<Value>) => {
  let made: Promise<Value> | null = null;
  return (): Promise<Value> => {
    made ??= make();
    return made;
  };
};
