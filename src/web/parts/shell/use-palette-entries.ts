import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Command, useOfferedCommands } from '../../lib/commands.ts'
import { useRole } from '../../lib/role.ts'
import { shortcutEntries } from '../../lib/shortcut-table.ts'
import { activeShortcuts } from '../../lib/shortcuts.ts'
import { chooseTheme, themes } from '../../lib/theme.ts'
import { useFacets } from '../../lib/use-facets.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useGoToPages } from './go-to-pages.ts'
import { settingsPages } from './settings-pages.ts'

const groupOrder = ['Answer', 'Commands', 'Filter', 'Go to', 'Settings', 'Workspace', 'Theme']

/** Palette entries other than tasks, by group. */
export function usePaletteEntries(): Command[] {
  const { me, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const navigate = useNavigate()
  const pages = useGoToPages()
  // Read once, so that the list stays the same while the palette is open.
  const [commands] = useState(activeCommands)
  const offered = useOfferedCommands()
  // Has the values to filter by loaded, which the page offers as commands.
  useFacets(true)

  const entries: Command[] = [
    ...offered,
    ...commands,
    ...(isAtLeast('admin')
      ? [
          {
            id: 'pause rules',
            group: 'Commands',
            label: 'Pause all rules',
            // The page asks for a confirmation.
            run: () =>
              void navigate({
                to: '/w/$workspaceId/rules',
                params: { workspaceId },
                search: { pause: 'all' },
              }),
          },
        ]
      : []),
    ...pages.map(({ name, shortcut, go }) => ({
      id: shortcut,
      group: 'Go to',
      label: name,
      shortcut,
      run: go,
    })),
    ...settingsPages.map(({ path, title }) => ({
      id: `settings ${path}`,
      group: 'Settings',
      label: title,
      run: () => void navigate({ to: '/w/$workspaceId/settings/$page', params: { workspaceId, page: path } }),
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
    ...themes.map(([theme, label]) => ({
      id: `theme ${theme}`,
      group: 'Theme',
      label: `${label} theme`,
      run: () => chooseTheme(theme),
    })),
  ]
  return entries.toSorted((one, other) => groupOrder.indexOf(one.group) - groupOrder.indexOf(other.group))
}

/** The active shortcuts that are marked as commands in the table. */
function activeCommands(): Command[] {
  const active = activeShortcuts()
  return shortcutEntries.flatMap(({ keys, label, isCommand }) => {
    const shortcut = keys.find((key) => active.has(key))
    if (!isCommand || !shortcut) return []
    return [
      {
        id: shortcut,
        group: 'Commands',
        label,
        shortcut,
        // Looked up again, because the page may have changed since the palette was opened.
        run: () => activeShortcuts().get(shortcut)?.(pressOnPage()),
      },
    ]
  })
}

/** A key press to pass to handlers. They read its target, which an event that was not dispatched lacks. */
function pressOnPage(): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { cancelable: true })
  return Object.defineProperty(event, 'target', { value: document.body })
}
