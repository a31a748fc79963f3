import { logToStderr } from '../../../simulator/src/log.ts';
import { openSimulator, type Simulator } from '../../../simulator/src/open-simulator.ts';
import { readSettings } from '../../../simulator/src/settings.ts';
import { systemClock } from '../../../simulator/src/system-clock.ts';
import { findTraces } from '../card-traces/find-traces.ts';
import { requireNoTraces } from '../card-traces/require-no-traces.ts';
import { findTestPort } from '../programs/find-test-port.ts';

/**
 * The simulator in this very process: starting another one takes 0.8 s of CPU, and a run has a hundred.
 * `runSimulator` starts one that a test can kill. Its log may hold no card number.
 */
export const openSimulatorHere = async (
  settings: Readonly<Record<string, string>>,
): Promise<Simulator> => {
  const [port, mtlsPort, cardsPort] = await Promise.all([1, 2, 3].map(() => findTestPort()));
  const facts: unknown[] = [];
  const simulator = await openSimulator(
    readSettings({
      SIMULATOR_PORT: String(port),
      SIMULATOR_MTLS_PORT: String(mtlsPort),
      SIMULATOR_CARDS_PORT: String(cardsPort),
      ...settings,
    }),
    systemClock,
    (message, logged) => {
      facts.push(message, logged);
      logToStderr(message, logged);
    },
  );
  return {
    ...simulator,
    stop: async () => {
      await simulator.stop();
      requireNoTraces(findTraces(JSON.stringify(facts)));
    },
  };
};
