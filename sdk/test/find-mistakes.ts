import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDart, writePackageConfig } from './run-dart.ts';

const head = `
import 'package:florin/florin.dart';
import 'package:florin_core/florin_core.dart';
import 'package:flutter/material.dart';

late BuildContext context;
`;

/** The sentences of the compiler about each piece, each in a function of its own. */
export const findMistakes = async (
  pieces: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-dart-'));
  try {
    const lines = head.split('\n');
    const lineOf = new Map<number, string>();
    Object.entries(pieces).forEach(([name, code], at) => {
      lines.push(`Object? piece${at}() { ${code.replaceAll('\n', ' ')} }`);
      lineOf.set(lines.length, name);
    });
    const entry = join(folder, 'pieces.dart');
    await writeFile(entry, `${lines.join('\n')}\nvoid main() {}\n`);
    const config = await writePackageConfig();
    const { said } = await runDart([
      `--packages=${config}`,
      `--snapshot=${join(folder, 'pieces.dill')}`,
      '--snapshot-kind=kernel',
      entry,
    ]);
    const found: Record<string, string[]> = {};
    for (const name of Object.keys(pieces)) found[name] = [];
    for (const [, line = '', says = ''] of said.matchAll(/pieces\.dart:(\d+):\d+: Error: (.*)/g))
      found[lineOf.get(Number(line)) ?? 'elsewhere']?.push(says);
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
