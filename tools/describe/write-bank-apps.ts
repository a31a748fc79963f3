import apps from '../../sdk/bank-apps.json' with { type: 'json' };
import { knownBanks } from '../../service/src/rails/open-banking-uk/index.ts';

type BankApp = {
  readonly banks: readonly string[];
  readonly androidPackage: string;
  readonly iosScheme?: string;
};

const known: readonly BankApp[] = apps;

/** Banks without web pages: the scheme of their authorisation address. */
const addressSchemes = (): readonly string[] =>
  knownBanks().flatMap(({ appAddress }) =>
    appAddress === undefined ? [] : [new URL(appAddress).protocol.replace(':', '')],
  );

/** What an app's manifests need so that it sees the apps of banks. */
export const bankAppSettings = (): ReadonlyMap<string, string> => {
  const ids = new Set(knownBanks().map(({ id }) => id));
  const unknown = known.flatMap(({ banks }) => banks).find((id) => !ids.has(id));
  if (unknown) throw new Error(`sdk/bank-apps.json names no bank: ${unknown}`);
  return new Map([
    ['sdk/flutter/platform/android-queries.xml', androidQueries()],
    ['sdk/flutter/platform/ios-queries-schemes.plist', iosSchemes()],
  ]);
};

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

const androidQueries = (): string =>
  [
    '<queries>',
    ...sorted(['https', ...addressSchemes()]).flatMap((scheme) => [
      '    <intent>',
      '        <action android:name="android.intent.action.VIEW" />',
      '        <category android:name="android.intent.category.BROWSABLE" />',
      `        <data android:scheme="${scheme}" />`,
      '    </intent>',
    ]),
    ...sorted(known.map(({ androidPackage }) => androidPackage)).map(
      (name) => `    <package android:name="${name}" />`,
    ),
    '</queries>',
    '',
  ].join('\n');

const iosSchemes = (): string => {
  const schemes = known.flatMap(({ iosScheme }) => (iosScheme ? [iosScheme] : []));
  return [
    '<key>LSApplicationQueriesSchemes</key>',
    '<array>',
    ...sorted(['https', ...addressSchemes(), ...schemes]).map(
      (one) => `    <string>${one}</string>`,
    ),
    '</array>',
    '',
  ].join('\n');
};
