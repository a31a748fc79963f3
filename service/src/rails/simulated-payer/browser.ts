import { type Dispatcher, request } from 'undici';
import { cookieJar } from './cookie-jar.ts';
import type { Form } from './form-with-step.ts';

const stepTimeoutMs = 10_000;
const maxPageBytes = 262_144;
const maxRedirects = 10;

export type Page = { readonly url: string; readonly html: string };
export type Step =
  | { readonly kind: 'PAGE'; readonly page: Page }
  | { readonly kind: 'BACK'; readonly url: URL };

export type Browse = {
  readonly open: (url: string) => Promise<Step>;
  readonly post: (
    page: Page,
    form: Form,
    fields: Readonly<Record<string, string>>,
  ) => Promise<Step>;
};

/** A browser without a window; it stops when the visited site redirects it back to us. */
export const browser = (isBack: (url: string) => boolean): Browse => {
  const cookies = cookieJar();
  const go = async (url: string, fields: URLSearchParams | null, hop = 0): Promise<Step> => {
    if (isBack(url)) return { kind: 'BACK', url: new URL(url) };
    if (hop > maxRedirects) throw new Error('the simulated site redirects without an end');
    const answer = await request(url, {
      method: fields ? 'POST' : 'GET',
      headers: {
        ...cookies.headerFor(),
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: fields?.toString() ?? null,
      signal: AbortSignal.timeout(stepTimeoutMs),
    });
    cookies.store(answer.headers['set-cookie']);
    const { location } = answer.headers;
    const html = await pageText(answer);
    if (typeof location === 'string') return go(new URL(location, url).toString(), null, hop + 1);
    return { kind: 'PAGE', page: { url, html } };
  };
  return {
    open: (url) => go(url, null),
    post: (page, form, fields) =>
      go(
        new URL(form.action, page.url).toString(),
        new URLSearchParams({ ...form.fields, ...fields }),
      ),
  };
};

const pageText = async (answer: Dispatcher.ResponseData): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    size += (chunk as Buffer).length;
    if (size > maxPageBytes) throw new Error('the simulated site sends too long a page');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};
