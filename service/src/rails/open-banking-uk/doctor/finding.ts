/** One thing that was checked, with what to do about it. */
export type Finding = {
  /** `client`, or the id of a bank. */
  readonly subject: string;
  readonly check: string;
  readonly level: 'OK' | 'WARNING' | 'FAULT';
  readonly detail: string;
  readonly fix?: string;
};

/** The findings of one subject, in the order in which they were made. */
export const findingsOf = (subject: string) => {
  const findings: Finding[] = [];
  const add =
    (level: Finding['level']) =>
    (check: string, detail: string, fix?: string): void => {
      findings.push({ subject, check, level, detail, ...(fix !== undefined && { fix }) });
    };
  return { findings, ok: add('OK'), warn: add('WARNING'), fault: add('FAULT') };
};

/** What to do about a connection to a bank that was not made, by the code of the fault. */
export const explainConnectionFault = (code: string): string =>
  fixes.find(({ pattern }) => pattern.test(code))?.fix ?? unknownFix;

const unknownFix = 'Try again; if it stays, contact the bank with the code above.';

const fixes: readonly { readonly pattern: RegExp; readonly fix: string }[] = [
  {
    pattern: /^CERT_HAS_EXPIRED$/,
    fix: "The bank's own certificate has expired: only the bank can renew it.",
  },
  {
    pattern: /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/,
    fix: 'Set caFile to the authority of the directory that issued the certificate of the bank.',
  },
  {
    pattern: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    fix: 'The certificate is for another host: compare the address with the portal of the bank.',
  },
  {
    pattern: /SSL|TLS|ECONNRESET|UND_ERR_SOCKET/,
    fix: 'The bank refused the transport certificate: register it there, or renew it.',
  },
  {
    pattern: /^ENOTFOUND$|^EAI_AGAIN$/,
    fix: 'The name is unknown: check the address, and the DNS of this machine.',
  },
  {
    pattern: /ECONNREFUSED|ETIMEDOUT|TIMEOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError/,
    fix: 'Nothing answers: check the firewall of this machine, and the status page of the bank.',
  },
];
