import { type BodyOf, limits, type ReplyOf } from '@florin/contract';
import {
  type CheckoutDraft,
  changeSettings,
  getSettings,
} from '@florin/contract/dashboard/index.ts';
import { Button, FileButton, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useMay } from '../../call/use-operation.ts';
import { typing } from '../../parts/fields.ts';
import classes from './look-form.module.css';
import { readPicture } from './read-picture.ts';
import { SaveForm } from './save-form.tsx';
import { usualColour } from './usual-colour.ts';

type Settings = ReplyOf<typeof getSettings>;
type Changes = Pick<BodyOf<typeof changeSettings>, 'logo' | 'accentColour' | 'avatarUrl'>;

export type DraftFormProps = {
  readonly settings: Settings;
  /** What is typed and not saved, for the preview. */
  readonly onDraft: (draft: CheckoutDraft) => void;
};

/** Logo and colour. */
export const LookForm = ({ settings, onDraft }: DraftFormProps): ReactNode => {
  const mayWrite = useMay('settings.write');
  const [changes, setChanges] = useState<Changes>({});
  const save = useAct(changeSettings, { changes: [getSettings] });
  const change = (changed: Changes): void => {
    setChanges(changed);
    onDraft(changed);
  };
  const colour = (changes.accentColour === undefined ? settings : changes).accentColour ?? '';
  const isColour = colour === '' || /^#[0-9a-f]{6}$/i.test(colour);
  return (
    <SaveForm
      title="Look"
      isChanged={Object.keys(changes).length > 0}
      isRight={isColour}
      act={save}
      onSave={() => save.mutate({ body: changes }, { onSuccess: () => change({}) })}
    >
      <Logo settings={settings} changes={changes} onChange={change} />
      <Group align="start" wrap="nowrap">
        <TextInput
          label="Colour (optional)"
          description="Used for buttons and links. We keep the text readable."
          placeholder={usualColour}
          maxLength={7}
          disabled={!mayWrite}
          {...typing(colour, (text) =>
            change({ ...changes, accentColour: text === '' ? null : text.toLowerCase() }),
          )}
          error={!isColour && `Enter it as in ${usualColour}.`}
        />
        <input
          type="color"
          aria-label="Choose the colour"
          className={classes.colour}
          disabled={!mayWrite}
          {...typing(isColour && colour !== '' ? colour : usualColour, (accentColour) =>
            change({ ...changes, accentColour }),
          )}
        />
      </Group>
    </SaveForm>
  );
};

type LogoProps = {
  readonly settings: Settings;
  readonly changes: Changes;
  readonly onChange: (changes: Changes) => void;
};

const Logo = ({ settings, changes, onChange }: LogoProps): ReactNode => {
  const mayWrite = useMay('settings.write');
  const [complaint, setComplaint] = useState<string | null>(null);
  const shown = changes.logo === undefined ? settings.logoUrl : changes.logo;
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return;
    const picture = await readPicture(file);
    setComplaint(picture.kind === 'REFUSED' ? picture.why : null);
    if (picture.kind === 'READ') onChange({ ...changes, logo: picture.address });
  };
  return (
    <div>
      <p className={classes.label}>Logo (optional)</p>
      <Group>
        {shown ? (
          <img src={shown} alt="Your logo" className={classes.logo} width={64} height={64} />
        ) : (
          <span className="soft">None: customers see your initials.</span>
        )}
        {mayWrite && (
          <FileButton onChange={(file) => void choose(file)} accept="image/png,image/svg+xml">
            {(props) => (
              <Button {...props} variant="default">
                Choose a picture
              </Button>
            )}
          </FileButton>
        )}
        {mayWrite && shown && (
          <Button
            variant="default"
            c="var(--bad)"
            onClick={() => onChange({ ...changes, logo: null })}
          >
            Remove
          </Button>
        )}
      </Group>
      <p className="soft">PNG or SVG, at most {limits.pictureBytes / 1024} KB, best square.</p>
      {complaint && <p role="alert">{complaint}</p>}
    </div>
  );
};
