import { Marked, type Tokens } from 'marked';
import { escapeHtml, pageShell } from './page-shell.ts';
import { type DocsPage, slug } from './read-pages.ts';

/** A page of the documentation as HTML, with the list of all pages beside it. */
export const drawDocsPage = (shown: DocsPage, all: readonly DocsPage[]): string =>
  pageShell({
    title: `${shown.title} · Florin`,
    aside: drawList(shown, all),
    body:
      (shown.path.startsWith('reference/') ? languageChoice : '') +
      String(markdown.parse(shown.markdown)) +
      `<p class="soft"><a href="/docs/${shown.path}.md">This page as Markdown</a></p>`,
  });

const languages = { sh: 'curl', ts: 'TypeScript', python: 'Python', php: 'PHP' } as const;

/** For every example of the page, by style alone; a script only remembers the choice. */
const languageChoice = [
  '<fieldset class="languages"><legend>Examples in</legend>',
  ...Object.entries(languages).map(([id, name]) => {
    const checked = id === 'sh' ? ' checked' : '';
    return `<label><input type="radio" name="language" value="${id}"${checked}>${name}</label>`;
  }),
  '</fieldset>',
].join('');

const groups = ['Guides', 'Reference', 'Rules'] as const;

const drawList = (shown: DocsPage, all: readonly DocsPage[]): string => {
  const parts = groups.map((group) => {
    const items = all.filter((each) => each.group === group).map((each) => drawItem(shown, each));
    return `<h2>${group}</h2><ul>${items.join('')}</ul>`;
  });
  return `<aside><nav aria-label="Pages">${parts.join('')}</nav></aside>`;
};

const drawItem = (shown: DocsPage, { path, title }: DocsPage): string =>
  `<li><a href="/docs/${path}"${currentMark(path === shown.path)}>${escapeHtml(title)}</a></li>`;

const currentMark = (isCurrent: boolean): string => (isCurrent ? ' aria-current="page"' : '');

/** Pages refer to files beside them; here they are pages, or files of the repository. */
const servedAddress = (href: string): string =>
  href
    .replace(/^(?:\.\.\/)?(rules|guides)\/([\w-]+)\.md/, '/docs/$1/$2')
    .replace(/^([\w-]+)\.md/, '$1');

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const inside = this.parser.parseInline(tokens);
      const address = servedAddress(href);
      // Addresses in examples are no links, and not every file is served.
      if (/^(?:https?:|\.\.\/)/.test(address)) return inside;
      return `<a href="${escapeHtml(address)}">${inside}</a>`;
    },
    code({ text, lang = '' }: Tokens.Code) {
      const pre = `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
      return `<div class="code" data-language="${escapeHtml(lang)}">${pre}</div>\n`;
    },
    // Our own texts hold no HTML; what looks like it is meant as text.
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return escapeHtml(text);
    },
  },
  hooks: {
    postprocess: (html: string) =>
      html
        .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
        .replaceAll('</table>', '</table></div>'),
  },
});
