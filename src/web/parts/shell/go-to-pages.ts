import { useNavigate } from '@tanstack/react-router'
import type { ShortcutName } from '../../lib/shortcut-table.ts'
import { useWorkspace } from '../../lib/workspace.ts'

const pages = [
  { name: 'Inbox', path: '/w/$workspaceId/inbox', shortcut: 'g i' },
  { name: 'Handled', path: '/w/$workspaceId/handled', shortcut: 'g h' },
  { name: 'Statistics', path: '/w/$workspaceId/statistics', shortcut: 'g s' },
  { name: 'Rules', path: '/w/$workspaceId/rules', shortcut: 'g r' },
  { name: 'Examples', path: '/w/$workspaceId/examples', shortcut: 'g e' },
  { name: 'Settings', path: '/w/$workspaceId/settings', shortcut: 'g t' },
] as const satisfies readonly { name: string; path: string; shortcut: ShortcutName }[]

/** The pages of a workspace, each with a function that navigates to it. */
export function useGoToPages() {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  return pages.map((page) => ({
    ...page,
    go: () => void navigate({ to: page.path, params: { workspaceId } }),
  }))
}
