const markup = Symbol('markup');

/** Text that is already HTML. Only `html` makes it, so that nothing unescaped can reach a page. */
export type Html = { readonly [markup]: string };

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Markup whose values are escaped for text and for quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => {
  const literals = literalsOf(parts);
  let text = literals[0] ?? '';
  values.forEach((value, at) => {
    text += toMarkup(value) + (literals[at + 1] ?? '');
  });
  return { [markup]: text };
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');

const isHtml = (value: object): value is Html => markup in value;

const isList = (value: object): value is readonly HtmlValue[] => Array.isArray(value);

const toMarkup = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  if (isHtml(value)) return value[markup];
  return isList(value) ? value.map(toMarkup).join('') : '';
};

/** A value after a bare `=` could end its attribute with a space: only quotes hold it. */
const refuseUnquoted = (before: string): void => {
  if (/=\s*$/.test(before)) throw new Error(`quote the attribute value after: ${before.trim()}`);
};

const lineBreak = /\n\s*/g;

/** Templates go over several lines: a break next to a tag or a value is not in the page. */
const withoutBreaks = (part: string): string =>
  part.replace(lineBreak, (text, at: number) => {
    const [before, after] = [part[at - 1], part[at + text.length]];
    return before === undefined || before === '>' || after === undefined || after === '<'
      ? ''
      : ' ';
  });

const prepared = new WeakMap<TemplateStringsArray, readonly string[]>();

const literalsOf = (parts: TemplateStringsArray): readonly string[] => {
  const known = prepared.get(parts);
  if (known) return known;
  const literals = parts.map(withoutBreaks);
  literals.slice(0, -1).forEach(refuseUnquoted);
  prepared.set(parts, literals);
  return literals;
};

/** Our own styles, which the policy allows by their hash, unescaped. */
export const styleElement = (css: string): Html => {
  if (css.includes('</')) throw new Error('a style sheet may not end its element');
  return { [markup]: `<style>${css}</style>` };
};

export const htmlText = (value: Html): string => value[markup];

const characters = new Map(Object.entries(entities).map(([plain, entity]) => [entity, plain]));

/** The text without markup. */
export const plainText = (value: Html): string =>
  htmlText(value)
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:\w+|#\d+);/g, (entity) => characters.get(entity) ?? entity)
    .trim();
