import manifest from '../../package.json' with { type: 'json' };

/** A release is compiled with it. */
declare const florinCommit: string | undefined;

/** What runs: shown by health, numbers and each line of the log. */
export const build = {
  version: manifest.version,
  commit: typeof florinCommit === 'undefined' ? 'sources' : florinCommit,
};
