import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import navStyles from './nav.module.css'

const WorkspaceMenu = lazyMenu(() => import('./workspace-menu.tsx'))

/** The workspace menu, above the avatar. On phones its items are in the account menu. */
export function WorkspaceSwitcher() {
  const { me, workspaceId } = useWorkspace()
  const isPhone = useIsPhone()
  const current = me.workspaces.find((workspace) => workspace.workspaceId === workspaceId)
  if (isPhone || me.workspaces.length < 2 || !current) return null
  const name = escapeBidi(current.name)
  return (
    <WorkspaceMenu
      trigger={
        <button type="button" className={navStyles.workspace} aria-label={`Workspace: ${name}`} title={name}>
          {[...name.trim()][0]?.toUpperCase()}
        </button>
      }
    />
  )
}
