import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const excluded = [
  '**/node_modules/**',
  '**/.florin/**',
  // Permutations of what other files run one representative of: `npm run test:long`.
  ...(process.env.TEST_LONG === '1' ? [] : ['**/*.long.test.ts']),
];

const smallFilesEach = 6;

/**
 * The large files mostly wait for programs and clocks, the small ones compute. In order of size a fifth of
 * the CPU had nothing to do for the first four minutes: so six small files follow each large one.
 */
class MixedSizes extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const groups = Math.ceil(bySize.length / (smallFilesEach + 1));
    const [large, small] = [bySize.slice(0, groups), bySize.slice(groups).reverse()];
    return large.flatMap((file, at) => [
      file,
      ...small.slice(at * smallFilesEach, (at + 1) * smallFilesEach),
    ]);
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/harness/setup.ts'],
    setupFiles: ['test/harness/before-each-file.ts'],
    include: ['**/*.test.ts'],
    exclude: excluded,
    pool: 'threads',
    // Files of a worker share its modules: loading them anew for each took a third of the run's CPU.
    isolate: false,
    // What a run has compiled the next one finds again, by the content of each file: one file of tests took
    // 20 s of CPU instead of 26.
    experimental: { fsModuleCache: true },
    // More than the smallest machine has cores: many tests wait for programs that they started. Each loads
    // the product and plans its statements anew: four took 829 s and 1,320 s of CPU, three 802 and 1,164.
    maxWorkers: 3,
    sequence: { sequencer: MixedSizes },
    // Limits against tests that hang: three times what the slowest takes alone on a quiet machine.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // As long as waitUntil: a state that comes costs nothing.
    expect: { poll: { timeout: 45_000 } },
  },
});
