import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage, type Tenant } from '../call/tenant.ts';
import type { Me, Membership } from '../call/use-me.ts';
import { Icon } from '../design/icon.tsx';
import classes from './menu-panel.module.css';
import { navigation } from './navigation.ts';
import { PersonMenu } from './person-menu.tsx';
import { TenantSwitch } from './tenant-switch.tsx';

type MenuPanelProps = {
  readonly tenant: Tenant;
  readonly me: Me;
  readonly membership: Membership;
  readonly onFollow: () => void;
};

export const MenuPanel = ({ tenant, me, membership, onFollow }: MenuPanelProps): ReactNode => (
  <div className={classes.panel}>
    <TenantSwitch tenant={tenant} me={me} membership={membership} onFollow={onFollow} />
    <nav aria-label="Pages" className={classes.menu}>
      {permittedGroups(membership).map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2>{group.title}</h2>
          <ul>
            {group.items.map(({ title, path, icon }) => (
              <li key={path}>
                <Link
                  to={addressOfPage(tenant, path)}
                  onClick={onFollow}
                  activeProps={{ 'aria-current': 'page' }}
                  activeOptions={{ includeSearch: false }}
                >
                  <Icon name={icon} />
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
    <PersonMenu me={me} />
  </div>
);

const permittedGroups = ({ permissions }: Membership) =>
  navigation
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ permission }) => permissions.includes(permission)),
    }))
    .filter(({ items }) => items.length > 0);
