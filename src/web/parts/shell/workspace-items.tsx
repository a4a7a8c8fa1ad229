import { useNavigate } from '@tanstack/react-router'
import { DropdownMenu as Menu } from 'radix-ui'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { MenuTick } from '../../ui/menu-tick.tsx'

/** Menu items for the person's workspaces; selecting one opens its inbox. */
export function WorkspaceItems() {
  const { me, workspaceId } = useWorkspace()
  const navigate = useNavigate()
  return (
    <Menu.RadioGroup
      value={workspaceId}
      onValueChange={(id) => void navigate({ to: '/w/$workspaceId/inbox', params: { workspaceId: id } })}
    >
      <Menu.Label className="menu-label">Workspace</Menu.Label>
      {me.workspaces.map((workspace) => (
        <Menu.RadioItem key={workspace.workspaceId} value={workspace.workspaceId}>
          <MenuTick />
          <bdi className="grow">{bidiSafe(workspace.name)}</bdi>
          <span className="text-meta text-ink-3">{workspace.role}</span>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
