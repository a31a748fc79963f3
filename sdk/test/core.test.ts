import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { longTest } from '../../test/harness/long-test.ts';
import { findMistakes } from './find-mistakes.ts';
import pay from './fixtures/pay-inputs.json' with { type: 'json' };
import { measureCoverage } from './measure-coverage.ts';
import { runDart, runProgram, sdkFolder, whyNoDart } from './run-dart.ts';

const leastCoverage = 0.9;

const inputs = `env: Env.sandbox, paymentId: 'id', showHowPaymentWorks: true`;
const textForEnv = inputs.replace('Env.sandbox', "'sandbox'");

/** Each breaks one promise of the package; `right` is the same without a mistake. */
const pieces = {
  right: `Florin.pay(context, ${inputs}); return null;`,
  'no env': `Florin.pay(context, paymentId: 'id', showHowPaymentWorks: true); return null;`,
  'no paymentId': 'Florin.pay(context, env: Env.sandbox, showHowPaymentWorks: true); return null;',
  'no onboarding': `Florin.pay(context, env: Env.sandbox, paymentId: 'id'); return null;`,
  'env as text': `Florin.pay(context, ${textForEnv}); return null;`,
  'another input': `Florin.pay(context, ${inputs}, tip: 1); return null;`,
  'a callback of another form': `Florin.pay(context, ${inputs}, onUserClose: (id) {}); return null;`,
  'an answer that may be null': `return Florin.pay(context, ${inputs}).then((it) => it.isCompleted);`,
  'a message left out':
    'return switch (null as EmbedMessage) { EmbedReady() => 1, EmbedStatus() => 2 };',
  'a state left out': 'return switch (PayState.opening) { PayState.opening => 1 };',
  'a message from outside': 'return (null as EmbedMessage).page;',
  'a changed answer': `TransactionDetails? it; it!.status = 'COMPLETED'; return it;`,
};

const namesIn = (list: string) => list.split(', ');

const suites = () => {
  longTest('passes its own tests, which run nine of ten lines and more', async () => {
    const { said, files } = await measureCoverage('core-tests', [join(sdkFolder, 'dart/test')]);
    expect(said).toMatch(/\d{2,} passed, 0 failed/);
    const lines = [...files.values()];
    const sum = (of: 'hit' | 'all') => lines.reduce((total, file) => total + file[of], 0);
    expect(files.size).toBeGreaterThan(10);
    expect(sum('hit') / sum('all'), JSON.stringify([...files])).toBeGreaterThanOrEqual(
      leastCoverage,
    );
  });

  longTest('runs on doubles of Flutter, with its example', async () => {
    const { code, said } = await runProgram('flutter-tests');
    expect(said).toMatch(/\d+ passed, 0 failed/);
    expect(code).toBe(0);
  });

  test('takes and answers exactly what the interface says', async () => {
    const { said } = await runProgram('api-shape');
    const shape = JSON.parse(said);
    expect(Object.keys(shape.pay)).toEqual(pay.inputs.map(({ name }) => name));
    expect(shape.answer).toBe('Future<TransactionDetails?>');
    expect(shape.hasIsCompleted).toBe(true);
    for (const { name, type } of pay.inputs) {
      const [, callback] = /callback \((.*)\)/.exec(type) ?? [];
      if (callback) expect(shape.pay[name].parameters.sort()).toEqual(namesIn(callback).sort());
    }
    const customer = pay.inputs.find(({ name }) => name === 'customerDetails')?.type ?? '';
    expect(shape.customerDetails).toEqual(namesIn(customer.replace('object: ', '')));
    expect(shape.pay).toMatchObject({
      env: { type: 'Env' },
      paymentId: { type: 'String' },
      showHowPaymentWorks: { type: 'bool' },
      customerDetails: { type: 'CustomerDetails' },
    });
    expect(shape.env).toEqual(['sandbox', 'prod']);
    expect(shape.paymentIdempotencyId).toBe(true);
  });

  longTest('refuses mistakes when it is compiled', async () => {
    const { right, ...mistakes } = await findMistakes(pieces);
    expect(right).toEqual([]);
    for (const [name, says] of Object.entries(mistakes))
      expect(says.length, name).toBeGreaterThan(0);
  });

  test('is read by the compiler that the lock file names', async () => {
    expect((await runDart(['--version'])).said).toContain('Dart SDK version: 3.7.3');
  });
};

const why = whyNoDart();
if (why === null) describe('the mobile SDK', { timeout: 90_000 }, suites);
else test('says why it cannot be tested here', () => expect(why).toContain('Linux x64'));
