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
