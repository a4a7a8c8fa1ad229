/** Settings pages in the order of the navigation. Their components are in app/settings-pages. */
export const settingsPages = [
  { group: 'Agents', path: 'connect', title: 'Connect an agent' },
  { group: 'Agents', path: 'api-keys', title: 'API keys' },
  { group: 'Agents', path: 'webhooks', title: 'Webhooks' },
  { group: 'Agents', path: 'connected-apps', title: 'Connected apps' },
  { group: 'Decisions', path: 'policies', title: 'Policies' },
  { group: 'Decisions', path: 'groups', title: 'Groups' },
  { group: 'Administration', path: 'workspace', title: 'Workspace' },
  { group: 'Administration', path: 'members', title: 'Members' },
  { group: 'Administration', path: 'invitations', title: 'Invitations' },
  { group: 'Administration', path: 'slack', title: 'Slack' },
  { group: 'Administration', path: 'audit', title: 'Audit log' },
  { group: 'Personal', path: 'account', title: 'Your account' },
  { group: 'Personal', path: 'notifications', title: 'Notifications' },
  { group: 'Personal', path: 'preferences', title: 'Preferences' },
  { group: 'Personal', path: 'shortcuts', title: 'Shortcuts' },
] as const

export type SettingsPath = (typeof settingsPages)[number]['path']
