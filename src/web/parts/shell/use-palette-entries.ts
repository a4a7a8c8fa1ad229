import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { shortcutEntries } from '../../lib/shortcut-table.ts'
import { activeShortcuts } from '../../lib/shortcuts.ts'
import { chooseTheme } from '../../lib/theme.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useGoToPages } from './go-to-pages.ts'

export type PaletteEntry = { id: string; group: string; label: string; shortcut?: string; run: () => void }

const themes = { light: 'Light theme', dark: 'Dark theme', system: 'System theme' }

/** Palette entries other than tasks. */
export function usePaletteEntries(): PaletteEntry[] {
  const { me, workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const pages = useGoToPages()
  // Captured when the palette opens, because the open palette disables the page's shortcuts.
  const [commands] = useState(activeCommands)

  return [
    ...commands,
    ...pages.map(({ name, shortcut, go }) => ({
      id: shortcut,
      group: 'Go to',
      label: name,
      shortcut,
      run: go,
    })),
    ...me.workspaces
      .filter((workspace) => workspace.workspaceId !== workspaceId)
      .map((workspace) => ({
        id: workspace.workspaceId,
        group: 'Workspace',
        label: workspace.name,
        run: () =>
          void navigate({
            to: '/w/$workspaceId/inbox',
            params: { workspaceId: workspace.workspaceId },
          }),
      })),
    ...Object.entries(themes).map(([theme, label]) => ({
      id: `theme ${theme}`,
      group: 'Theme',
      label,
      run: () => chooseTheme(theme),
    })),
  ]
}

/** The active shortcuts that are marked as commands in the table. */
function activeCommands(): PaletteEntry[] {
  const active = activeShortcuts()
  return shortcutEntries.flatMap(({ keys, label, isCommand }) => {
    const shortcut = keys.find((key) => active.has(key))
    const run = shortcut && active.get(shortcut)
    if (!isCommand || !run) return []
    return [
      {
        id: shortcut,
        group: 'Commands',
        label,
        shortcut,
        run: () => run(new KeyboardEvent('keydown', { cancelable: true })),
      },
    ]
  })
}
