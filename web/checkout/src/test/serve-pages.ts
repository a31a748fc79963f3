import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckoutBank } from '@florin/contract';
import { checkoutAssets } from '../assets/checkout-assets.ts';
import {
  type ContentSecurityOptions,
  contentSecurityPolicy,
} from '../assets/content-security-policy.ts';
import { bankIcon } from '../parts/bank-picture.ts';
import { sampleChooseBank } from './sample-views.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

export type PageServer = {
  readonly origin: string;
  /** The answer at a path; assets are served already. */
  readonly answers: Map<string, Answer>;
  readonly close: () => Promise<void>;
};

export const servePages = async (): Promise<PageServer> => {
  const answers = new Map<string, Answer>();
  const respondTo = respond(answers);
  const server: Server = createServer((request, response) => {
    respondTo(request, response, new URL(request.url ?? '/', 'http://local'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const sendAsset = (response: ServerResponse, type: string, body: string): void => {
  response.writeHead(200, { 'content-type': type }).end(body);
};

export const assetUrls = () => {
  const { script, cardScript } = checkoutAssets();
  return { scriptUrl: script.path, cardScriptUrl: cardScript.path };
};

/** A page under the real policy. */
export const page =
  (
    body: string,
    accentColour: string | null = null,
    processor: ContentSecurityOptions['processor'] = null,
  ): Answer =>
  (_, response) => {
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy({ accentColour, processor }),
      })
      .end(body);
  };

const iconOf = (name: string, bank: CheckoutBank | undefined): string =>
  bankIcon(name, bank?.colour ?? null, `${bank?.id}-sandbox`);

const respond = (answers: Map<string, Answer>): Answer => {
  const { script, cardScript } = checkoutAssets();
  const scripts = new Map([script, cardScript].map(({ path, body }) => [path, body]));
  return (request, response, url) => {
    const body = scripts.get(url.pathname);
    if (body !== undefined) return sendAsset(response, 'text/javascript', body);
    const answer = answers.get(`${request.method} ${url.pathname}`);
    if (answer) return answer(request, response, url);
    const [, icon] = /^\/bank-icons\/(\w+)\.svg$/.exec(url.pathname) ?? [];
    const bank = sampleChooseBank.banks.find(({ id }) => id === icon);
    if (icon) return sendAsset(response, 'image/svg+xml', iconOf(bank?.name ?? icon, bank));
    response.writeHead(404).end();
  };
};
