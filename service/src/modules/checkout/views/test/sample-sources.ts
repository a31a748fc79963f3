import { pence } from '#kernel/pence.ts';
import { samplePayment } from '#modules/payments/test/sample-payment.ts';
import type { Institution } from '#rails/bank-rail.ts';
import { arriving, type PageQuery, type ViewSources } from '../checkout-view.ts';

const harbour: Institution = {
  id: 'harbour',
  name: 'Harbour',
  fullName: 'Harbour Bank',
  kind: 'both',
  colour: '#0b6e69',
  limitPence: pence(1_000_000),
  isEnabled: true,
  isPopular: true,
  countryCode: 'GB',
};

/** What a page is made of: one bank, no cards, the given payment and address. */
export const sampleSources = ({
  payment = samplePayment(),
  query: requested = {},
  ...changes
}: Partial<Omit<ViewSources, 'query'>> & {
  readonly query?: Partial<PageQuery>;
} = {}): ViewSources => ({
  payment,
  payee: { account: { sortCode: '180002', accountNumber: '00000190', name: 'Corner Coffee Ltd' } },
  institutions: [harbour],
  customersBankId: null,
  cardFields: null,
  card: null,
  returnTo: null,
  qrSvg: () => '<svg/>',
  publicUrl: 'https://pay.example',
  operator: { operatorName: 'Florin' },
  pictures: { find: () => null },
  catchesMail: true,
  formToken: 'token',
  scenarios: [],
  offersReceipts: true,
  query: { ...arriving, ...requested },
  ...changes,
});

export { harbour };
