import { type BodyOf, limits } from '@florin/contract';
import { deleteView, listSavedViews, saveView } from '@florin/contract/dashboard/index.ts';
import { ActionIcon, Button, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useLocation } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { addressOfPage } from '../call/tenant.ts';
import { useAct, useOperation, useTenant } from '../call/use-operation.ts';
import { Icon } from '../design/icon.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { typing } from './fields.ts';
import classes from './saved-views.module.css';

type ViewPage = BodyOf<typeof saveView>['page'];

const changes = [listSavedViews];

/** The filters in the address under a name; each person has their own. */
export const SavedViews = ({ page }: { readonly page: ViewPage }): ReactNode => {
  const tenant = useTenant();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [name, setName] = useState('');
  const { searchStr } = useLocation();
  const { data } = useOperation(listSavedViews, { query: { page } });
  const save = useAct(saveView, { changes });
  const remove = useAct(deleteView, { changes });
  if (!tenant) return null;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await save.mutateAsync({ body: { page, name: name.trim(), query: viewQuery(searchStr) } });
    setName('');
    close();
  };
  const failure = save.error ?? remove.error;
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-end" withinPortal={false} trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="star" size={16} />} onClick={toggle}>
          <span className="icon-alone">Views</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views" miw={280}>
        <ul className={classes.list}>
          {data?.data.map((view) => (
            <li key={view.viewId}>
              <Link to={`${addressOfPage(tenant, page)}${view.query}`} onClick={close}>
                {view.name}
              </Link>
              <ActionIcon
                variant="subtle"
                aria-label={`Delete the view ${view.name}`}
                onClick={() => remove.mutate({ params: { viewId: view.viewId } })}
              >
                <Icon name="close" size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        {data?.data.length === 0 && (
          <p className="soft">Choose filters, then save them here under a name.</p>
        )}
        {failure && <FailureNotice failure={failure} />}
        <form onSubmit={(event) => void submit(event)}>
          <Stack gap="xs">
            <TextInput
              label="Save these filters as"
              {...typing(name, setName)}
              maxLength={limits.viewNameLength}
              required
            />
            <Button type="submit" loading={save.isPending}>
              Save the view
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
};

/** What a view saves of an address: its filters, not the page of the list that was open. */
export const viewQuery = (search: string): string => {
  const filters = new URLSearchParams(search);
  for (const name of ['page', 'before']) filters.delete(name);
  filters.sort();
  return `?${String(filters).replaceAll('%2C', ',')}`;
};
