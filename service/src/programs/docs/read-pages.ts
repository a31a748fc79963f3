import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export type DocsPage = {
  /** After `/docs/`, without an ending. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
  readonly group: 'Guides' | 'Reference' | 'Rules';
};

const folder = new URL('../../../../docs/', import.meta.url);
/** Comments are for who edits a page. */
const read = async (path: string): Promise<string> =>
  (await readFile(new URL(path, folder), 'utf8')).replace(/<!--[\s\S]*?-->\s*/g, '');

/** In the order in which a newcomer needs them. */
const guides = [
  'quick-start',
  'first-webhook',
  'way-back',
  'web-page',
  'test-outcomes',
  'saved-cards',
  'split-bills',
  'going-live',
];

/** Every page of the documentation: guides, a page of the reference for each tag, rules. */
export const readPages = async (): Promise<readonly DocsPage[]> => [
  ...(await Promise.all(
    guides.map(async (name) => page(`guides/${name}`, 'Guides', await read(`guides/${name}.md`))),
  )),
  ...splitReference(await read('generated/API.md')),
  ...(await readRules()),
];

export const readOpenApi = async (): Promise<string> =>
  JSON.stringify(JSON.parse(await read('generated/openapi.json')));

const page = (path: string, group: DocsPage['group'], markdown: string): DocsPage => ({
  path,
  group,
  markdown,
  title: /^#+ (.+)$/m.exec(markdown)?.[1] ?? path,
});

/** A chapter becomes a page: the whole would be long to load and to read. */
const splitReference = (whole: string): readonly DocsPage[] => {
  const [heading = '', ...chapters] = whole.split(/^(?=## )/m);
  const parts = chapters.map((chapter) => {
    const name = /^## (\S+)/.exec(chapter)?.[1]?.toLowerCase() ?? '';
    const raised = chapter.replace(/^##(#?) /gm, (_, more: string) => `#${more} `);
    return page(`reference/${name}`, 'Reference', raised);
  });
  const list = parts.flatMap(({ path, title, markdown }) => [
    `## [${title}](/docs/${path})`,
    operationsOf(path, markdown),
  ]);
  return [page('reference', 'Reference', [heading, ...list].join('\n\n')), ...parts];
};

const operationsOf = (path: string, markdown: string): string =>
  [...markdown.matchAll(/^## (.+)\n\n(.+)$/gm)]
    .map(([, title = '', summary = '']) => {
      const [sentence = ''] = summary.split(/(?<=\.) /);
      return `- [${title}](/docs/${path}#${slug(title)}) ${sentence}`;
    })
    .join('\n');

const readRules = async (): Promise<readonly DocsPage[]> => {
  const names = (await readdir(fileURLToPath(new URL('rules/', folder)))).sort();
  return Promise.all(
    names
      .filter((name) => name.endsWith('.md'))
      .map(async (name) =>
        page(`rules/${name.slice(0, -3)}`, 'Rules', await read(`rules/${name}`)),
      ),
  );
};

/** The anchor of a heading. */
export const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
