const markup = Symbol('markup');

/** Text that is already HTML. Only `html` makes it, so that nothing unescaped can reach a page. */
export type Html = { readonly [markup]: string };

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');

const isHtml = (value: object): value is Html => markup in value;

const isList = (value: object): value is readonly HtmlValue[] => Array.isArray(value);

const written = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  if (isHtml(value)) return value[markup];
  return isList(value) ? value.map(written).join('') : '';
};

/** A value after a bare `=` could end its attribute with a space: quotes are not a matter of taste. */
const refuseUnquoted = (before: string): void => {
  if (/=\s*$/.test(before)) throw new Error(`quote the attribute value after: ${before.trim()}`);
};

/** Markup whose values are escaped for text and for quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => {
  let text = parts[0] ?? '';
  values.forEach((value, at) => {
    refuseUnquoted(parts[at] ?? '');
    text += written(value) + (parts[at + 1] ?? '');
  });
  return { [markup]: text };
};

export const htmlText = (value: Html): string => value[markup];
