/** What a merchant may see of a failed call; the rest is for operators. */
export type OutboundErrorClass = 'DNS' | 'BLOCKED' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'RESET';

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

export const classifyError = (error: unknown): OutboundErrorClass => {
  const { name, code, errors } = error as { name?: string; code?: string; errors?: unknown[] };
  if (name === 'AddressBlocked') return 'BLOCKED';
  if (name === 'HostNotResolved') return 'DNS';
  // Happy eyeballs report every address that was tried.
  if (errors && errors.length > 0) return classifyError(errors[0]);
  if (code === undefined) return 'RESET';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'TLS';
  return byCode[code] ?? 'RESET';
};
