import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, html, htmlText } from './html.ts';

const nasty = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('<script>', '"><img src=x onerror=1>', "' onload='x", '`', '</title>', '&lt;'),
);

test('text cannot open a tag, end an attribute or make an entity', () => {
  fc.assert(
    fc.property(nasty, nasty, (text, value) => {
      const page = htmlText(html`<p title="${value}">${text}</p>`);
      const [, title = '', body = ''] = /^<p title="([^"]*)">([^<]*)<\/p>$/s.exec(page) ?? [];
      expect(page).toBe(`<p title="${title}">${body}</p>`);
      expect(title + body).not.toMatch(/[<>"'`]/);
      expect(title + body).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39|#96);)/);
    }),
  );
});

test('escaped text reads as it was written', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const read = escapeHtml(text)
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&#96;', '`')
        .replaceAll('&amp;', '&');
      expect(read).toBe(text);
    }),
  );
});

test('inserts markup, lists and nothing as they are', () => {
  const list = ['a', 'b'].map((each) => html`<li>${each}</li>`);
  expect(htmlText(html`<ul>${list}</ul>${null}${false}${undefined}${0}`)).toBe(
    '<ul><li>a</li><li>b</li></ul>0',
  );
});

test('throws on an attribute without quotes', () => {
  expect(() => html`<a href=${'x'}>`).toThrow('quote the attribute');
});

test('removes line breaks of the template unless they separate words', () => {
  expect(
    htmlText(html`
      <p class="a"
        title="b">
        ${'one'} two
        three
      </p>
    `),
  ).toBe('<p class="a" title="b">one two three</p>');
});
