import type { EmbedMessage } from '@florin/contract';

type Sent = EmbedMessage extends infer One
  ? One extends EmbedMessage
    ? Omit<One, 'florin' | 'nonce'>
    : never
  : never;

type Send = (message: Sent) => void;

/** Given to the page by the app that shows it. */
type Bridge = { readonly postMessage: (text: string) => void };
type AppWindow = typeof window & { readonly FlorinBridge?: Bridge };

const protocol = 1;
const nonceKey = 'florin-embed';
const statusKey = 'florin-embed-status';

/** The app puts its nonce behind the `#` of the first address: no server or log gets it. */
const readNonce = (): string | null => {
  const [, nonce] = /^#florin=\d+\.([0-9a-f]{32})$/.exec(location.hash) ?? [];
  if (nonce !== undefined) {
    sessionStorage.setItem(nonceKey, nonce);
    sessionStorage.removeItem(statusKey);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(nonceKey);
};

/** Tells the app around the page what happens; in a browser there is none, and nothing is done. */
export const runEmbed = (): void => {
  const { FlorinBridge: bridge } = window as AppWindow;
  const nonce = bridge ? readNonce() : null;
  if (!bridge || nonce === null) return;
  const send: Send = (message) =>
    bridge.postMessage(JSON.stringify({ florin: protocol, nonce, ...message }));
  const { page = '', home, embed } = document.body.dataset;
  if (home === undefined) {
    const message = document.querySelector('h1')?.textContent?.trim() ?? '';
    send({ type: 'error', code: page, message });
  } else if (embed === undefined) {
    // A form of the page led to an address without the mode.
    location.replace(withMode());
  } else {
    send({ type: 'ready', page });
    tellStatus(send);
    startOutside(home, send);
  }
};

const tellStatus = (send: Send): void => {
  const { status, payment: paymentIdempotencyId = null, done } = document.body.dataset;
  if (status === undefined) return;
  if (isNews(`${status} ${paymentIdempotencyId}`))
    send({ type: 'status', status, paymentIdempotencyId });
  if (done !== undefined) send({ type: 'done', status, paymentIdempotencyId });
};

const startOutside = (home: string, send: Send): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-start]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (isStarting) return;
      isStarting = true;
      void start(form, event.submitter, home, send);
    });
};

let isStarting = false;

const withMode = (): string => {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.set('embed', 'sdk');
  return `${pathname}?${searchParams}`;
};

const isNews = (status: string): boolean => {
  const isNew = sessionStorage.getItem(statusKey) !== status;
  sessionStorage.setItem(statusKey, status);
  return isNew;
};

/** Starts the payment and lets the app open the bank; this page then shows that it is under way. */
const start = async (
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  home: string,
  send: Send,
): Promise<void> => {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) fields.append(name, String(value));
  const next = await postStart(form.action, fields);
  // What the server says to this is shown as a page.
  if (next === null) return HTMLFormElement.prototype.submit.call(form);
  if (next.startsWith('/')) return location.assign(next);
  send({ type: 'openExternal', url: next });
  location.replace(home);
};

const postStart = async (address: string, body: URLSearchParams): Promise<string | null> => {
  try {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
    });
    const { location: next }: { location: string } = await reply.json();
    return next;
  } catch {
    return null;
  }
};
