import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';
import type { OwnFolder } from '#rails/transfer-rail.ts';

type Folder = { readonly environment: Environment; readonly folderId: string };

// Operators may delete older files of the folder.
const rememberedDays = 30;

/** Answers which folder it is, if any; a null id where another program claims one at this moment. */
const claimTransferFolder = statement<
  Folder & { readonly ownerId: string },
  {
    readonly folder_id: string | null;
    readonly last_file: string | null;
    readonly installation_id: string;
  }
>(
  'transfer_folder_claim',
  sql('environment', 'folderId', 'ownerId')`
   with known as materialized (
     select folder_id,
       case when last_file_at > now() - interval '${rememberedDays} days' then last_file end as last_file
     from transfer_folder where environment = :environment),
   claimed as (
     insert into transfer_folder (environment, folder_id)
     select :environment, :folderId::uuid from cell
     where address is null and cell_id = :ownerId::uuid and not exists (select from known)
     on conflict do nothing returning folder_id, last_file)
   select f.folder_id, f.last_file, c.cell_id as installation_id
   from cell c left join (select * from known union all select * from claimed) f on true
   where c.address is null`,
  {
    guardedBy:
      'primary key (environment): the first folder stays; the owner: another one claims nothing',
  },
);

const readInstallation = statement<object, { readonly cell_id: string }>(
  'transfer_installation',
  sql()`select cell_id from cell where address is null`,
);

const noteFile = statement<Folder & { readonly file: string }, { readonly folder_id: string }>(
  'transfer_folder_note',
  sql('environment', 'folderId', 'file')`
   update transfer_folder set last_file = :file, last_file_at = now()
   where environment = :environment and folder_id = :folderId::uuid
   returning folder_id`,
  { guardedBy: 'the folder; of two files at once the later note stays' },
);

/** What the installation knows of the folder through which files go. */
export const ownFolder = ({ database }: Uses<'database'>, environment: Environment): OwnFolder => ({
  installationId: async () => (await database.system(readInstallation, {}))[0]?.cell_id ?? '',
  claim: async (folderId, ownerId) => {
    const values = { environment, folderId, ownerId };
    const [known] = await database.system(claimTransferFolder, values);
    return {
      isOwn: known?.folder_id === folderId,
      installationId: known?.installation_id ?? '',
      lastFile: known?.last_file ?? null,
    };
  },
  note: async (folderId, file) => {
    const noted = await database.system(noteFile, { environment, folderId, file });
    if (noted.length === 0) throw new Error(`another folder than ${folderId} is used by now`);
  },
});

/** The one before is lost, or an operator has made sure of this one. */
export const useTransferFolder = statement<Folder, { readonly folder_id: string }>(
  'transfer_folder_use',
  sql('environment', 'folderId')`
   insert into transfer_folder (environment, folder_id) values (:environment, :folderId::uuid)
   on conflict (environment) do update
     set folder_id = excluded.folder_id, last_file = null, last_file_at = null, claimed_at = now()
   returning folder_id`,
  { guardedBy: 'an operator names it; a repeat changes nothing' },
);
