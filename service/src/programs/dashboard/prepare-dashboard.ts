import type { Log } from '#platform/log.ts';

/** Builds the dashboard where it is not built yet, while the rest of the product starts. */
export const prepareDashboard = async (log: Pick<Log, 'error'>): Promise<void> => {
  try {
    const { openBundle } = await import('./open-bundle.ts');
    await openBundle();
  } catch (error) {
    const { message } = error as Error;
    log.error({ error: message }, 'the dashboard cannot be built: all but its pages is there');
  }
};
