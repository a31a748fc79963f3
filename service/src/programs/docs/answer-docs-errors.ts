import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { prefersHtml } from '#platform/http/accepted.ts';
import { type ErrorReply, errorReply } from '#platform/http/error-reply.ts';
import type { Log } from '#platform/log.ts';
import { escapeHtml, pageShell, secureHtml } from './page-shell.ts';

/** Home and documentation have no payer: a browser gets a plain page, a program the usual body. */
export const answerDocsErrors = (app: FastifyInstance, log: Pick<Log, 'error'>): void => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = errorReply(error);
    if (answer.isBug)
      log.error({ requestId: request.id, stack: error.stack ?? String(error) }, 'page bug');
    if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
    reply.code(answer.statusCode).header('cache-control', 'no-store').header('vary', 'accept');
    return prefersHtml(request)
      ? sendErrorPage(reply, answer, request.id)
      : reply.send(answer.body);
  });
};

export const sendErrorPage = (
  reply: FastifyReply,
  { statusCode, body }: ErrorReply,
  requestId: string,
): FastifyReply => secureHtml(reply).send(drawErrorPage(statusCode, body.message, requestId));

const drawErrorPage = (statusCode: number, message: string, requestId: string): string => {
  const title = titles[statusCode] ?? (statusCode < 500 ? refused : failed);
  return pageShell({
    title: `${title} · Florin`,
    body: `<h1>${title}</h1>
<p>${escapeHtml(message)}</p>
<p><a href="/docs">Documentation</a> · <a href="/">Home</a></p>
<p class="soft">Status ${statusCode}, request <code>${escapeHtml(requestId)}</code></p>`,
  });
};

const refused = 'That did not work';
const failed = 'Something went wrong';
const titles: Readonly<Record<number, string>> = {
  404: 'Page not found',
  429: 'Too many requests',
  503: 'Not available right now',
};
