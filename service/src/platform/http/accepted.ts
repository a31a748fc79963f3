import type { FastifyRequest } from 'fastify';

type Wanted = { readonly name: string; readonly quality: number };

/** What a header such as `Accept` lists, the most wanted first; what it refuses is left out. */
export const listAccepted = (header: string | undefined): readonly Wanted[] =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
      const quality = parameters.find((part) => part.startsWith('q='))?.slice('q='.length);
      return { name, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ name, quality }) => name !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality);

/** A browser names HTML first; a program that takes anything gets what programs read. */
export const prefersHtml = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => {
  const first = listAccepted(headers.accept).find(({ name }) => readable.test(name));
  return first?.name === 'text/html';
};

const readable = /^(?:text\/html|application\/(?:json|\*)|\*\/\*)$/;
