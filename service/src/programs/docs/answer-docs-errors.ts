import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorReply, errorReply } from '#platform/http/error-reply.ts';
import type { Log } from '#platform/log.ts';
import { escapeHtml, pageSecurity, pageShell } from './page-shell.ts';

/** Home and documentation have no payer: a browser gets a plain page, a program the usual body. */
export const answerDocsErrors = (app: FastifyInstance, log: Pick<Log, 'error'>): void => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = errorReply(error);
    if (answer.isBug)
      log.error({ requestId: request.id, stack: error.stack ?? String(error) }, 'page bug');
    if (answer.retryAfterSeconds !== null) reply.header('retry-after', answer.retryAfterSeconds);
    reply.code(answer.statusCode).header('cache-control', 'no-store').header('vary', 'accept');
    return acceptsHtml(request)
      ? sendErrorPage(reply, answer, request.id)
      : reply.send(answer.body);
  });
};

export const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') ?? false;

const sendErrorPage = (
  reply: FastifyReply,
  { statusCode, body }: ErrorReply,
  requestId: string,
): FastifyReply =>
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', pageSecurity())
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(drawErrorPage(statusCode, body.message, requestId));

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
