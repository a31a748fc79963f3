import { chooseLocale, locales } from '@florin/checkout';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '#platform/http/use-cookies.ts';
import { type Fields, text } from '../input/fields.ts';
import type { PageTools } from './payment-page.ts';

const languageCookie = 'florin_language';
const scenarioCookie = 'florin_scenario';

type Choices = Pick<PageTools, 'scenarios'>;

const given = (request: FastifyRequest, name: string): string =>
  text(((request.query ?? {}) as Fields)[name]);

/**
 * The language, and in the sandbox the outcome, that a payer chose by a link stays for the visit: a
 * bank returns without either. A payer who chooses nothing gets no cookie.
 */
export const rememberChoices = (app: FastifyInstance, { scenarios }: Choices): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET') return;
    const language = locales.find((locale) => locale === given(request, 'locale'));
    if (language && language !== languageWithout(request))
      setCookie(reply, languageCookie, language);
    const scenario = scenarios.find(({ input }) => input === given(request, 'scenario'));
    if (scenario) setCookie(reply, scenarioCookie, scenario.input);
  });
};

const languageWithout = (request: FastifyRequest): string =>
  chooseLocale(request.headers['accept-language'], readCookie(request, languageCookie));

/** The requested locale, else the earlier choice, else that of the browser. */
export const localeOf = (request: FastifyRequest): string => {
  const fields = (request.body ?? request.query ?? {}) as Fields;
  const requested = locales.find((locale) => locale === text(fields.locale));
  return requested ?? languageWithout(request);
};

/** The outcome at the simulated bank; null without a choice. */
export const scenarioOf = (request: FastifyRequest): string | null =>
  given(request, 'scenario') || readCookie(request, scenarioCookie);
