import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import navStyles from './nav.module.css'

const AccountDropdown = lazyMenu(() => import('./account-dropdown.tsx'))

export function AccountMenu() {
  const { me } = useWorkspace()
  return (
    <AccountDropdown
      trigger={
        <button type="button" className={navStyles.me} aria-label={`Account: ${escapeBidi(me.person.name)}`}>
          <Avatar name={me.person.name} />
        </button>
      }
    />
  )
}
