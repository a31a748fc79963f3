import { migrate } from '../../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { silentLog } from '../../../service/src/platform/log.ts';
import { discardFolder } from '../discard-folder.ts';
import { makeServerFolder } from './make-server-folder.ts';
import { type PostgresVersion, startTestPostgres } from './start-test-postgres.ts';

export type OwnTestServer = Awaited<ReturnType<typeof openTestServer>>;

type TestServerOptions = {
  readonly version?: PostgresVersion;
  readonly settings?: Readonly<Record<string, string>>;
  /** Left out: a new folder, removed in the end. */
  readonly folder?: string;
};

/** A database server of the test's own, to break or to be of another version. */
export const openTestServer = async (options: TestServerOptions = {}) => {
  const folder = options.folder ?? (await makeServerFolder('florin-server-'));
  const launch = () =>
    startTestPostgres({ folder, settings: options.settings, log: silentLog }, options.version);
  let server = await launch();
  const template = 'florin_template';
  const url = server.connectionString('postgres');
  await ensureDatabase(url, template);
  await migrate(server.connectionString(template));
  return {
    url,
    template,
    connectionString: (name: string) => server.connectionString(name),
    pid: () => server.pid,
    /** As `npm start` does when its server has ended. */
    startAgain: async (): Promise<void> => {
      await server.exited;
      server = await launch();
    },
    hasEnded: (): Promise<boolean> =>
      Promise.race([
        server.exited.then(() => true),
        new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
      ]),
    stop: async (): Promise<void> => {
      await server.stop();
      if (!options.folder) await discardFolder(folder);
    },
  };
};
