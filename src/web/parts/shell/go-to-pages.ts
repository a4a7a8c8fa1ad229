import { useNavigate, useRouter } from '@tanstack/react-router'
import type { ShortcutName } from '../../lib/shortcut-table.ts'
import { useWorkspace } from '../../lib/workspace.ts'

type Page = { name: string; path: string; shortcut: ShortcutName }

const pages: readonly Page[] = [
  { name: 'Inbox', path: '/w/$workspaceId/inbox', shortcut: 'g i' },
  { name: 'Handled', path: '/w/$workspaceId/handled', shortcut: 'g h' },
  { name: 'Statistics', path: '/w/$workspaceId/statistics', shortcut: 'g s' },
  { name: 'Examples', path: '/w/$workspaceId/examples', shortcut: 'g e' },
  { name: 'Settings', path: '/w/$workspaceId/settings', shortcut: 'g t' },
]

/** The existing pages, each with a function that navigates to it. */
export function useGoToPages() {
  const { workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { routesByPath } = useRouter()
  return pages
    .filter(({ path }) => path in routesByPath)
    .map((page) => ({
      ...page,
      go: () => void navigate({ to: page.path as '/w/$workspaceId/inbox', params: { workspaceId } }),
    }))
}
