import { type ComponentType, lazy } from 'react'
import { ConnectPage } from '../features/connect/connect-page.tsx'
import { ApiKeysPage } from '../features/settings/api-keys-page.tsx'
import { AppearancePage } from '../features/settings/appearance-page.tsx'
import { AuditPage } from '../features/settings/audit-page.tsx'
import { ConnectedAppsPage } from '../features/settings/connected-apps-page.tsx'
import { InvitationsPage } from '../features/settings/invitations-page.tsx'
import { MembersPage } from '../features/settings/members-page.tsx'
import { NotificationsPage } from '../features/settings/notifications/notifications-page.tsx'
import { ShortcutsPage } from '../features/settings/shortcuts-page.tsx'
import { WebhooksPage } from '../features/settings/webhooks-page.tsx'
import { WorkspacePage } from '../features/settings/workspace-page.tsx'

// Loaded separately because only this page needs the QR code library.
const AccountPage = lazy(async () => ({
  default: (await import('../features/account/account-page.tsx')).AccountPage,
}))

type Page = { path: string; title: string; component: ComponentType }

/** Settings pages by group, in the order of the navigation. */
export const pageGroups: { title: string; pages: Page[] }[] = [
  {
    title: 'Agents',
    pages: [
      { path: 'connect', title: 'Connect an agent', component: ConnectPage },
      { path: 'api-keys', title: 'API keys', component: ApiKeysPage },
      { path: 'webhooks', title: 'Webhooks', component: WebhooksPage },
      { path: 'connected-apps', title: 'Connected apps', component: ConnectedAppsPage },
    ],
  },
  {
    title: 'People',
    pages: [
      { path: 'workspace', title: 'Workspace', component: WorkspacePage },
      { path: 'members', title: 'Members', component: MembersPage },
      { path: 'invitations', title: 'Invitations', component: InvitationsPage },
      { path: 'audit', title: 'Audit log', component: AuditPage },
    ],
  },
  {
    title: 'Personal',
    pages: [
      { path: 'account', title: 'Your account', component: AccountPage },
      { path: 'notifications', title: 'Notifications', component: NotificationsPage },
      { path: 'appearance', title: 'Appearance', component: AppearancePage },
      { path: 'shortcuts', title: 'Shortcuts', component: ShortcutsPage },
    ],
  },
]

export const pages = pageGroups.flatMap((group) => group.pages)
