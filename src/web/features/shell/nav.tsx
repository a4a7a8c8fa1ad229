import { Link } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useHere } from '../../lib/person.ts'
import { Icon } from '../../ui/icon.tsx'
import { Logo } from '../../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'

export function Nav({ open }: { open: number }) {
  const { workspaceId } = useHere()
  return (
    <nav className="nav" aria-label="Main">
      <Link className="brand" to="/w/$workspaceId/inbox" params={{ workspaceId }} aria-label="Handrail">
        <Logo />
      </Link>
      <Link className="item" to="/w/$workspaceId/inbox" params={{ workspaceId }} aria-current="page">
        <Icon of={Inbox} />
        Inbox
        {open > 0 && (
          <span className="count">
            {open > 999 ? '999+' : open}
            <span className="sr-only"> open</span>
          </span>
        )}
      </Link>
      <span className="grow" />
      <AccountMenu />
    </nav>
  )
}
