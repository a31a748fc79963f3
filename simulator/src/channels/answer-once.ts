import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Answered = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
};

export type AnswerOnce = (
  request: IncomingMessage,
  response: ServerResponse,
  serve: () => Promise<void>,
) => Promise<void>;

const rememberedMs = 10_000;

// A double click sends the customer through the end of the visit twice, and the browser follows the
// second: it must be redirected to the same address as the first, not to an error.
export const answerOnce = (): AnswerOnce => {
  const answers = new Map<string, Promise<Answered>>();
  return async (request, response, serve) => {
    const visit = `${request.url} ${request.headers.cookie}`;
    const earlier = answers.get(visit);
    if (earlier) {
      const { status, headers } = await earlier;
      response.writeHead(status, headers).end();
      return;
    }
    const served = serve();
    answers.set(
      visit,
      served.then(
        () => answerOf(response),
        () => failed,
      ),
    );
    setTimeout(() => answers.delete(visit), rememberedMs).unref();
    await served;
  };
};

const failed: Answered = { status: 409, headers: { 'content-length': 0 } };

// Read off the response even when the browser has already hung up on it.
const answerOf = (response: ServerResponse): Answered => {
  const { location, 'set-cookie': cookies } = response.getHeaders();
  if (location === undefined) return failed;
  return { status: 303, headers: { location, ...(cookies && { 'set-cookie': cookies }) } };
};
