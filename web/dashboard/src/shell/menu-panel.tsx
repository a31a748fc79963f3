import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage, type Tenant } from '../call/tenant.ts';
import { Icon } from '../design/icon.tsx';
import classes from './menu-panel.module.css';
import { navigation } from './navigation.ts';

type MenuPanelProps = {
  readonly tenant: Tenant;
  readonly onFollow: () => void;
};

export const MenuPanel = ({ tenant, onFollow }: MenuPanelProps): ReactNode => (
  <nav aria-label="Business" className={classes.menu}>
    {navigation.map((group) => (
      <section key={group.title} aria-label={group.title}>
        <h2>{group.title}</h2>
        <ul>
          {group.items.map(({ title, path, icon }) => (
            <li key={path}>
              <Link
                to={addressOfPage(tenant, path)}
                onClick={onFollow}
                activeProps={{ 'aria-current': 'page' }}
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
);
