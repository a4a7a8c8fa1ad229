import type { ComponentType } from 'react'
import { ConnectPage } from '../features/connect/connect-page.tsx'
import { ApiKeysPage } from '../features/settings/api-keys-page.tsx'
import { AuditPage } from '../features/settings/audit-page.tsx'
import { ConnectedAppsPage } from '../features/settings/connected-apps-page.tsx'
import { GroupsPage } from '../features/settings/decisions/groups-page.tsx'
import { PoliciesPage } from '../features/settings/decisions/policies-page.tsx'
import { InvitationsPage } from '../features/settings/invitations-page.tsx'
import { MembersPage } from '../features/settings/members-page.tsx'
import { NotificationsPage } from '../features/settings/notifications/notifications-page.tsx'
import { PreferencesPage } from '../features/settings/preferences-page.tsx'
import { ShortcutsPage } from '../features/settings/shortcuts-page.tsx'
import { SlackPage } from '../features/settings/slack/slack-page.tsx'
import { WebhooksPage } from '../features/settings/webhooks-page.tsx'
import { WorkspacePage } from '../features/settings/workspace-page.tsx'
import { type SettingsPath, settingsPages } from '../parts/shell/settings-pages.ts'
import { onDemandPart } from '../ui/lazy-part.tsx'

// Loaded separately because no other settings page needs the QR code library.
const AccountPage = onDemandPart(async () => ({
  default: (await import('../features/account/account-page.tsx')).AccountPage,
}))

const components: Record<SettingsPath, ComponentType> = {
  connect: ConnectPage,
  'api-keys': ApiKeysPage,
  webhooks: WebhooksPage,
  'connected-apps': ConnectedAppsPage,
  policies: PoliciesPage,
  groups: GroupsPage,
  workspace: WorkspacePage,
  members: MembersPage,
  invitations: InvitationsPage,
  slack: SlackPage,
  audit: AuditPage,
  account: AccountPage,
  notifications: NotificationsPage,
  preferences: PreferencesPage,
  shortcuts: ShortcutsPage,
}

export const pages = settingsPages.map((page) => ({ ...page, component: components[page.path] }))

/** Settings pages by group, in the order of the navigation. */
export const pageGroups = [...new Set(pages.map(({ group }) => group))].map((title) => ({
  title,
  pages: pages.filter(({ group }) => group === title),
}))
