import type { ComponentType } from 'react'
import { ApiKeysPage } from './api-keys-page.tsx'
import { AppearancePage } from './appearance-page.tsx'
import { AuditPage } from './audit-page.tsx'
import { InvitationsPage } from './invitations-page.tsx'
import { MembersPage } from './members-page.tsx'
import { ShortcutsPage } from './shortcuts-page.tsx'
import { WebhooksPage } from './webhooks-page.tsx'
import { WorkspacePage } from './workspace-page.tsx'

type Page = { path: string; title: string; component: ComponentType }

/** A new page of the settings is a line here. */
export const pageGroups: { title: string; pages: Page[] }[] = [
  {
    title: 'People',
    pages: [
      { path: 'workspace', title: 'Workspace', component: WorkspacePage },
      { path: 'members', title: 'Members', component: MembersPage },
      { path: 'invitations', title: 'Invitations', component: InvitationsPage },
    ],
  },
  {
    title: 'Agents',
    pages: [
      { path: 'api-keys', title: 'API keys', component: ApiKeysPage },
      { path: 'webhooks', title: 'Webhooks', component: WebhooksPage },
      { path: 'audit', title: 'Audit', component: AuditPage },
    ],
  },
  {
    title: 'In this browser',
    pages: [
      { path: 'appearance', title: 'Appearance', component: AppearancePage },
      { path: 'shortcuts', title: 'Shortcuts', component: ShortcutsPage },
    ],
  },
]

export const pages = pageGroups.flatMap((group) => group.pages)
