import type { OwnFolder } from '#rails/transfer-rail.ts';

/** Each test has another folder. */
export const anyFolder: OwnFolder = {
  installationId: async () => '0192d1c6-5555-7000-8000-000000000001',
  claim: async (_, installationId) => ({ isOwn: true, installationId, lastFile: null }),
  note: async () => undefined,
};
