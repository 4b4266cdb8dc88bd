/** The pages of a cellar, in the order of the menu, each with the key that opens it after `g`. */
export const TABS = [
  { to: '/cellars/$cellar', name: 'Overview', key: 'o' },
  { to: '/cellars/$cellar/data', name: 'Data', key: 'd' },
  { to: '/cellars/$cellar/live', name: 'Live', key: 't' },
  { to: '/cellars/$cellar/keys', name: 'API Keys', key: 'k' },
  { to: '/cellars/$cellar/racks', name: 'Racks', key: 'r' },
  { to: '/cellars/$cellar/alerts', name: 'Alerts', key: 'l' },
  { to: '/cellars/$cellar/settings', name: 'Settings', key: 's' },
  { to: '/cellars/$cellar/audit', name: 'Audit', key: 'a' },
] as const;

type TabPath = (typeof TABS)[number]['to'];

/** Returns the tab that a path belongs to, such as API Keys for `/cellars/demo/keys`. */
export function tabOf(pathname: string): TabPath {
  const [, , , page] = pathname.split('/');
  return TABS.find(({ to }) => to === `/cellars/$cellar/${page ?? ''}`)?.to ?? '/cellars/$cellar';
}
