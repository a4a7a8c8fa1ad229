import { Link } from '@tanstack/react-router'
import { BookOpen, ChartColumn, CircleCheck, Inbox, ShieldCheck, SlidersHorizontal } from 'lucide-react'
import { useWorkspace } from '../../lib/workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import { Logo } from '../../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import styles from './nav.module.css'
import { OpenCount } from './open-count.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** `openCount`: the number of open tasks, if the page knows it. */
export function Nav({ openCount }: { openCount?: number }) {
  const { workspaceId } = useWorkspace()
  const params = { workspaceId }
  return (
    <nav className={styles.nav} aria-label="Main">
      <Link className={styles.brand} to="/w/$workspaceId/inbox" params={params} aria-label="Handrail">
        <Logo />
      </Link>
      <Link className={styles.item} to="/w/$workspaceId/inbox" params={params}>
        <Icon of={Inbox} />
        Inbox
        <OpenCount count={openCount} />
      </Link>
      <Link className={styles.item} to="/w/$workspaceId/handled" params={params}>
        <Icon of={CircleCheck} />
        Handled
      </Link>
      <Link className={styles.item} to="/w/$workspaceId/statistics" params={params}>
        <Icon of={ChartColumn} />
        Statistics
      </Link>
      <Link className={styles.item} to="/w/$workspaceId/rules" params={params}>
        <Icon of={ShieldCheck} />
        Rules
      </Link>
      <Link className={`${styles.item} ${styles.examples}`} to="/w/$workspaceId/examples" params={params}>
        <Icon of={BookOpen} />
        Examples
      </Link>
      <span className="grow" />
      <Link className={styles.item} to="/w/$workspaceId/settings" params={params}>
        <Icon of={SlidersHorizontal} />
        Settings
      </Link>
      <WorkspaceSwitcher />
      <AccountMenu />
    </nav>
  )
}
