import { metrics } from './metrics.ts';

const dayMs = 86_400_000;
const endsAtMs = new Map<string, { readonly labels: Labels; readonly atMs: number }>();

/** `client`: ours, which banks look at. `bank`: that of a bank's server, as its last connection showed it. */
type Labels = { readonly certificate: 'client' | 'bank'; readonly of: string };

/** `validTo` as a certificate has it. */
export const noteCertificate = (labels: Labels, validTo: string): void => {
  const atMs = Date.parse(validTo);
  if (!Number.isNaN(atMs)) endsAtMs.set(`${labels.certificate} ${labels.of}`, { labels, atMs });
};

export const countCertificateDays = (now: Date): void => {
  for (const { labels, atMs } of endsAtMs.values())
    metrics.set('florin_certificate_days_left', (atMs - now.getTime()) / dayMs, labels);
};
