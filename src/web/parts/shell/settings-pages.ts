/** Settings pages in the order of the navigation. Their components are in app/settings-pages. */
export const settingsPages = [
  { group: 'Agents', path: 'connect', title: 'Connect an agent' },
  { group: 'Agents', path: 'api-keys', title: 'API keys' },
  { group: 'Agents', path: 'webhooks', title: 'Webhooks' },
  { group: 'Agents', path: 'connected-apps', title: 'Connected apps' },
  { group: 'Decisions', path: 'policies', title: 'Policies' },
  { group: 'Decisions', path: 'groups', title: 'Groups' },
  { group: 'People', path: 'workspace', title: 'Workspace' },
  { group: 'People', path: 'members', title: 'Members' },
  { group: 'People', path: 'invitations', title: 'Invitations' },
  { group: 'People', path: 'slack', title: 'Slack' },
  { group: 'People', path: 'audit', title: 'Audit log' },
  { group: 'Personal', path: 'account', title: 'Your account' },
  { group: 'Personal', path: 'notifications', title: 'Notifications' },
  { group: 'Personal', path: 'appearance', title: 'Appearance' },
  { group: 'Personal', path: 'shortcuts', title: 'Shortcuts' },
] as const

export type SettingsPath = (typeof settingsPages)[number]['path']
