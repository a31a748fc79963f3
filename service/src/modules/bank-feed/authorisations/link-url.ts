import type { Authorisation } from './authorisation.ts';

/** The page of an authorisation, in the shape that existing clients know. */
export const linkUrl = (
  publicUrl: string,
  { authorisationId, linkExpiresAt, tenant }: Authorisation,
): string => {
  const query = new URLSearchParams({
    accountAuthId: authorisationId,
    expiresAt: linkExpiresAt.toISOString(),
    env: tenant.environment,
  });
  return `${publicUrl}${linkPath}?${query}`;
};

export const linkPath = '/link-bank';
