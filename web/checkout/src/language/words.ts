import { type Html, html } from '../html/html.ts';
import { catalogues, type MessageKey } from '../messages/index.ts';
import type { Locale } from './locales.ts';

export type Words = {
  readonly locale: Locale;
  /** For text. Inserted values keep their own direction of writing. */
  readonly say: (key: MessageKey, fillings?: Readonly<Record<string, Html | string>>) => Html;
  /** For titles and attributes. */
  readonly plain: (key: MessageKey, fillings?: Placeholders) => string;
};

export type Placeholders = Readonly<Record<string, string>>;

const placeholder = /\{(\w+)\}/;

export const openWords = (locale: Locale): Words => {
  const messages = catalogues[locale];
  const piecesOf = (key: MessageKey): readonly string[] => messages[key].split(placeholder);
  return {
    locale,
    say: (key, fillings = {}) =>
      html`${piecesOf(key).map((piece, at) =>
        at % 2 === 0 ? piece : html`<bdi>${fillings[piece] ?? ''}</bdi>`,
      )}`,
    plain: (key, fillings = {}) =>
      piecesOf(key)
        .map((piece, at) => (at % 2 === 0 ? piece : (fillings[piece] ?? '')))
        .join(''),
  };
};
