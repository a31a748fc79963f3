import { useLocalStorage } from '@mantine/hooks';
import type { Tenant } from '../../call/tenant.ts';

type Till = { readonly storeId: string; readonly tillName: string };

const first: Till = { storeId: '', tillName: 'Till 1' };

/** Where this browser stands: remembered for the merchant and environment. */
export const useTill = ({ merchantId, environment }: Tenant) => {
  const [till, setTill] = useLocalStorage<Till>({
    key: `florin-till-${merchantId}-${environment}`,
    defaultValue: first,
    getInitialValueInEffect: false,
  });
  return { ...till, change: (changes: Partial<Till>) => setTill({ ...till, ...changes }) };
};
