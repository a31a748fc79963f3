import { isUuid } from '#kernel/is-uuid.ts';

export type Fields = Readonly<Record<string, string | undefined>>;

/** A query or form may carry anything: only single texts count. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const pageIdOf = (fields: unknown): string | null => {
  const id = text((fields as Fields | undefined)?.paymentRequestId).toLowerCase();
  return isUuid(id) ? id : null;
};

/** Unlike `encodeURIComponent` it accepts any text, also a lone surrogate. */
const parameter = (name: string, value: string): string =>
  value === '' ? '' : `&${new URLSearchParams({ [name]: value })}`;

/** The other parameters of the address, such as the chosen bank. */
export type MoreQuery = Readonly<Record<string, string | undefined>>;

export const pagePath = (
  paymentRequestId: string,
  locale: unknown,
  more: MoreQuery = {},
): string => {
  const others = Object.entries(more).map(([name, value]) => parameter(name, text(value)));
  const language = parameter('locale', text(locale));
  return `/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT${language}${others.join('')}`;
};
