import { type BankRails, bankRails } from '../../../service/src/modules/payments/index.ts';
import { openPayments } from '../../../service/src/modules/payments/test/open-payments.ts';
import type { Route } from '../../../service/src/platform/http/route.ts';
import type { Tools } from '../../../service/src/platform/tools.ts';
import { partsOf } from '../../../service/src/programs/wiring/modules.ts';

const noBankRails = bankRails(
  { SANDBOX: null, PRODUCTION: null },
  { SANDBOX: 'SIMULATOR_TRUST_FOLDER', PRODUCTION: 'PRODUCTION_BANK_RAIL' },
);

export type OperatorService = Awaited<ReturnType<typeof openOperator>>;

/** Payments on a bank in memory, and the operator API with the secret of Ada. */
export const openOperator = async (
  others: (tools: Tools & { readonly bankRails: BankRails }) => readonly Route[] = () => [],
) => {
  const service = await openPayments({
    routes: (tools) => [
      ...partsOf('operatorRoutes').flatMap((routesOf) =>
        routesOf({ ...tools, bankRails: noBankRails, forgetSecret: (id) => forget(id) }),
      ),
      ...others({ ...tools, bankRails: noBankRails }),
    ],
  });
  const forget = (secretId: string): void => service.authentication.forget(secretId);
  const { secret } = await service.newOperator('Ada');
  return {
    ...service,
    secret,
    operate: (method: string, path: string, body?: object) =>
      service.request(method, `/api/operator${path}`, { secret, ...(body ? { body } : {}) }),
    rows: <Row>(text: string, values: readonly string[] = []) =>
      service.database.system<object, Row>(
        { name: '', text, valueNames: values.map((_, at) => `v${at}`) as never },
        Object.fromEntries(values.map((value, at) => [`v${at}`, value])),
      ),
  };
};
