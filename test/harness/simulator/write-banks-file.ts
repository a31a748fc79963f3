import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a file for PRODUCTION_BANK_RAIL whose banks are those of the simulator with this trust folder. */
export const writeBanksFile = async (
  trust: string,
  path: string,
  more: object = {},
): Promise<string> => {
  const registration = JSON.parse(await readFile(join(trust, 'registration.json'), 'utf8'));
  const { clientId, organisationId, softwareStatementId, signingKeyId, trustAnchor } = registration;
  const client = {
    clientId,
    organisationId,
    softwareStatementId,
    signingKeyId,
    trustAnchor,
    signingKeyFile: join(trust, 'signing-key.pem'),
    transportCertificateFile: join(trust, 'transport.pem'),
    transportKeyFile: join(trust, 'transport-key.pem'),
    caFile: join(trust, 'ca.pem'),
    ...more,
  };
  const banks = registration.banks.map((bank: { limitPence: number }) => ({
    ...bank,
    limitPounds: bank.limitPence / 100,
  }));
  await writeFile(path, JSON.stringify({ client, banks }));
  return path;
};
