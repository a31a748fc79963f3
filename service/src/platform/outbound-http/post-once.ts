import type { Agent, Dispatcher } from 'undici';
import type { Connected } from './guarded-connector.ts';

/** What a merchant may see of a failed call; the rest is for operators. */
type OutboundErrorClass = 'DNS' | 'BLOCKED' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'RESET';

const byCode: Readonly<Record<string, OutboundErrorClass>> = {
  ECONNREFUSED: 'CONNECT',
  EHOSTUNREACH: 'CONNECT',
  ENETUNREACH: 'CONNECT',
  EADDRNOTAVAIL: 'CONNECT',
  EACCES: 'CONNECT',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT',
  UND_ERR_ABORTED: 'TIMEOUT',
  ETIMEDOUT: 'TIMEOUT',
  EPROTO: 'TLS',
};

const classifyError = (error: unknown): OutboundErrorClass => {
  const { name, code, errors } = error as { name?: string; code?: string; errors?: unknown[] };
  if (name === 'AddressBlocked') return 'BLOCKED';
  if (name === 'HostNotResolved') return 'DNS';
  // Happy eyeballs report every address that was tried.
  if (errors && errors.length > 0) return classifyError(errors[0]);
  if (code === undefined) return 'RESET';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'TLS';
  return byCode[code] ?? 'RESET';
};

export type OutboundRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
  /** Over everything: look-up, connection, answer. */
  readonly timeoutMs: number;
  /** The rest of the answer is not read. */
  readonly responseBytes: number;
};

export type OutboundTiming = {
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly totalMs: number;
  readonly peer: string | null;
};

export type OutboundAnswer =
  | {
      readonly kind: 'ANSWERED';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      readonly isCut: boolean;
      readonly timing: OutboundTiming;
    }
  | {
      readonly kind: 'FAILED';
      readonly errorClass: OutboundErrorClass;
      readonly detail: string;
      readonly timing: OutboundTiming;
    };

type Exchange = {
  readonly request: OutboundRequest;
  readonly peers: ReadonlyMap<string, Connected>;
  readonly started: number;
  readonly settle: (answer: OutboundAnswer) => void;
  readonly chunks: Buffer[];
  length: number;
  timer: NodeJS.Timeout | null;
  controller: Dispatcher.DispatchController | null;
  head: { readonly status: number; readonly headers: AnswerHeaders } | null;
  firstByteMs: number | null;
  isEnded: boolean;
};

type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

const enough = new Error('the rest of the answer is not read');

/** Straight through undici's handler: streams and signals for each call cost more than the call. */
export const postOnce = (
  agent: Agent,
  peers: ReadonlyMap<string, Connected>,
  request: OutboundRequest,
): Promise<OutboundAnswer> =>
  new Promise((settle) => {
    const exchange: Exchange = {
      request,
      peers,
      settle,
      started: performance.now(),
      chunks: [],
      length: 0,
      timer: null,
      controller: null,
      head: null,
      firstByteMs: null,
      isEnded: false,
    };
    exchange.timer = setTimeout(endLate, request.timeoutMs, exchange);
    agent.dispatch(
      {
        origin: request.url.origin,
        path: `${request.url.pathname}${request.url.search}`,
        method: 'POST',
        headers: request.headers,
        body: request.body,
        // One timer covers look-up, connection, headers and body.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handlerOf(exchange),
    );
  });

const handlerOf = (exchange: Exchange): Dispatcher.DispatchHandler => ({
  onRequestStart(controller) {
    exchange.controller = controller;
    if (exchange.isEnded) controller.abort(enough);
  },
  onResponseStart(_, status, headers) {
    if (status < 200) return;
    exchange.firstByteMs = performance.now() - exchange.started;
    exchange.head = { status, headers };
  },
  onResponseData(_, chunk) {
    if (exchange.isEnded) return;
    exchange.chunks.push(chunk);
    exchange.length += chunk.length;
    if (exchange.length > exchange.request.responseBytes) end(exchange, true);
  },
  onResponseEnd() {
    end(exchange, false);
  },
  onResponseError(_, error) {
    if (exchange.head) end(exchange, true);
    else fail(exchange, classifyError(error), detailOf(error));
  },
});

const endLate = (exchange: Exchange): void => {
  if (exchange.head) end(exchange, true);
  else fail(exchange, 'TIMEOUT', `no answer within ${Math.round(exchange.request.timeoutMs)} ms`);
};

/**
 * What arrived in time counts: the status is there, so a body that stalls or breaks changes
 * nothing.
 */
const end = (exchange: Exchange, isCut: boolean): void => {
  const { head, chunks, request } = exchange;
  if (exchange.isEnded || head === null) return;
  const body = (chunks.length === 1 && chunks[0]) || Buffer.concat(chunks);
  close(exchange, isCut, {
    kind: 'ANSWERED',
    status: head.status,
    headers: head.headers,
    body: isCut ? body.subarray(0, request.responseBytes) : body,
    isCut,
    timing: timingOf(exchange),
  });
};

const fail = (exchange: Exchange, errorClass: OutboundErrorClass, detail: string): void => {
  if (exchange.isEnded) return;
  close(exchange, true, { kind: 'FAILED', errorClass, detail, timing: timingOf(exchange) });
};

const close = (exchange: Exchange, aborts: boolean, answer: OutboundAnswer): void => {
  exchange.isEnded = true;
  if (exchange.timer) clearTimeout(exchange.timer);
  exchange.settle(answer);
  if (aborts) exchange.controller?.abort(enough);
};

const timingOf = ({ peers, request, started, firstByteMs }: Exchange): OutboundTiming => {
  const peer = peers.get(request.url.host);
  const isNew = peer !== undefined && peer.at >= started;
  return {
    dnsMs: isNew ? peer.dnsMs : null,
    connectMs: isNew ? peer.connectMs : null,
    firstByteMs,
    totalMs: performance.now() - started,
    peer: peer?.peer ?? null,
  };
};

const detailOf = (error: unknown): string => {
  const { message, code } = error as { message?: string; code?: string };
  return `${code ? `${code}: ` : ''}${message ?? String(error)}`.slice(0, 300);
};
