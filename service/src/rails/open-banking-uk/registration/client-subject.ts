import { X509Certificate } from 'node:crypto';

/** The subject of a certificate as RFC 4514 writes it: the most specific part first. */
export const clientSubject = (certificatePem: string): string =>
  new X509Certificate(certificatePem).subject
    .split('\n')
    .reverse()
    .map((part) =>
      part.replace(/^([^=]*=)(.*)$/, (_, name: string, value: string) => name + escaped(value)),
    )
    .join(',');

const escaped = (value: string): string =>
  value.replace(/[\\",+;<>]/g, (character) => `\\${character}`);
