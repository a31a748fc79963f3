import { limits } from '@florin/contract';
import { escapeHtml, pageShell } from './page-shell.ts';
import { type DocsPage, slug } from './read-pages.ts';

type Section = {
  readonly page: DocsPage;
  readonly heading: string;
  readonly text: string;
  /** What is searched, in small letters. */
  readonly sought: string;
};

const worth = { title: 8, heading: 20, text: 1, textMax: 5 } as const;

/** Every heading of every page with what stands below it. */
export const sectionsOf = (pages: readonly DocsPage[]): readonly Section[] =>
  pages.flatMap((page) =>
    page.markdown.split(/^(?=#{1,3} )/m).map((part) => {
      const [, heading = page.title, text = ''] = /^#+ (.+)\n([\s\S]*)$/.exec(part) ?? [];
      return { page, heading, text, sought: `${heading} ${text}`.toLowerCase() };
    }),
  );

/** The sections that hold every word, the best first. */
export const findSections = (sections: readonly Section[], sought: string): readonly Section[] => {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return sections
    .filter((section) => words.every((word) => section.sought.includes(word)))
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, limits.docsSearchResults)
    .map(({ section }) => section);
};

const scoreOf = ({ page, heading, sought }: Section, words: readonly string[]): number => {
  const [title, above] = [page.title.toLowerCase(), heading.toLowerCase()];
  return words.reduce((sum, word) => {
    const times = Math.min(sought.split(word).length - 1, worth.textMax);
    const inTitle = title.includes(word) ? worth.title : 0;
    return sum + times * worth.text + inTitle + (above.includes(word) ? worth.heading : 0);
  }, 0);
};

export const drawFound = (searched: string, found: readonly Section[]): string => {
  const title = searched === '' ? 'Search' : `“${escapeHtml(searched)}”`;
  const nothing = searched === '' ? 'Type what you look for.' : 'Nothing holds all of these words.';
  const items = found.map((section) => `<li>${drawSection(section, searched)}</li>`);
  return pageShell({
    title: `${searched === '' ? 'Search' : searched} · Florin`,
    searched,
    body:
      `<h1>${title}</h1>` +
      (items.length === 0
        ? `<p role="status">${nothing}</p>`
        : `<ul class="found">${items.join('')}</ul>`),
  });
};

const drawSection = ({ page, heading, text }: Section, searched: string): string => {
  const anchor = heading === page.title ? '' : `#${slug(heading)}`;
  const name = `<a href="/docs/${page.path}${anchor}">${escapeHtml(heading)}</a>`;
  const where = `<span class="soft">${escapeHtml(`${page.group} › ${page.title}`)}</span>`;
  return `${name} ${where}<br>${escapeHtml(excerptOf(text, searched))}`;
};

const excerptCharacters = 160;

/** What stands around the first word, without the signs of Markdown. */
const excerptOf = (text: string, searched: string): string => {
  const plain = text
    .replace(/```\w*|[`*|#]|-{3,}|\]\([^)]*\)|\[/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const [word = ''] = searched.toLowerCase().split(/\s+/);
  const from = Math.max(0, plain.toLowerCase().indexOf(word) - excerptCharacters / 4);
  const cut = plain.slice(from, from + excerptCharacters);
  return `${from > 0 ? '… ' : ''}${cut}${plain.length > from + excerptCharacters ? ' …' : ''}`;
};
