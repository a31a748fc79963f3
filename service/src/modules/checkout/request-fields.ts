import { chooseLocale } from '@florin/checkout';
import type { FastifyRequest } from 'fastify';
import type { PageQuery } from './view-sources.ts';

export type Fields = Readonly<Record<string, string | undefined>>;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const mostSearchCharacters = 60;

/** A query or form may carry anything: only single texts count. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const localeOf = (request: FastifyRequest): string => {
  const given = (request.body ?? request.query ?? {}) as Fields;
  return chooseLocale(request.headers['accept-language'] ?? '', text(given.locale));
};

export const queryOf = (request: FastifyRequest): PageQuery => {
  const query = (request.query ?? {}) as Fields;
  return {
    locale: localeOf(request),
    search: text(query.search).slice(0, mostSearchCharacters),
    institutionId: text(query.institutionId) || null,
    tryAgain: text(query.again) !== '',
  };
};

export const pageIdOf = (fields: unknown): string | null => {
  const id = text((fields as Fields | undefined)?.paymentRequestId).toLowerCase();
  return uuidPattern.test(id) ? id : null;
};

/** Unlike `encodeURIComponent` it takes any text, also half a character. */
export const parameter = (name: string, value: string): string =>
  value === '' ? '' : `&${new URLSearchParams({ [name]: value })}`;

export const pagePath = (paymentRequestId: string, locale: unknown): string => {
  const language = parameter('locale', text(locale));
  return `/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT${language}`;
};
