import { DropdownMenu as Menu } from 'radix-ui'
import { useHere } from '../../lib/person.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { plain } from '../../ui/visible-text.tsx'
import { WorkspaceItems } from './workspace-items.tsx'

/** A square for the workspace above the circle for the person. On a phone its items are in the account menu. */
export function WorkspaceSwitcher() {
  const { me, workspaceId } = useHere()
  const isPhone = useIsPhone()
  const here = me.workspaces.find((workspace) => workspace.workspaceId === workspaceId)
  if (isPhone || me.workspaces.length < 2 || !here) return null
  const name = plain(here.name)
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="where" aria-label={`Workspace: ${name}`} title={name}>
        {[...name.trim()][0]?.toUpperCase()}
      </Menu.Trigger>
      <Menu.Content className="menu" side="right" align="end" sideOffset={8} collisionPadding={8}>
        <WorkspaceItems />
      </Menu.Content>
    </Menu.Root>
  )
}
