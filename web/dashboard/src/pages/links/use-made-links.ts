import type { ReplyOf, requestPayment } from '@florin/contract';
import { useLocalStorage } from '@mantine/hooks';
import type { Tenant } from '../../call/tenant.ts';

const linksMax = 50;

/** The links that were made in this browser, the newest first: each in its environment. */
export const useMadeLinks = ({ merchantId, environment }: Tenant) => {
  const [links, setLinks] = useLocalStorage<readonly MadeLink[]>({
    key: `florin-links-${merchantId}-${environment}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const save = (link: MadeLink): void => setLinks((all) => [link, ...all].slice(0, linksMax));
  return { links, save };
};

/** A link as it was answered when it was made. */
export type MadeLink = Pick<
  ReplyOf<typeof requestPayment>,
  'paymentRequestId' | 'paymentUrl' | 'shortUrl' | 'qrCodeUrl'
> & {
  readonly pounds: number;
  readonly orderId: string;
  readonly notes: string | null;
  readonly madeAt: string;
};
