import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Pause, Plus } from 'lucide-react'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { NoRules } from './no-rules.tsx'
import { PauseAllRules } from './pause-all-rules.tsx'
import { RulesFrame } from './rules-frame.tsx'
import { RulesTable } from './rules-table.tsx'
import { Suggestions } from './suggestions.tsx'
import { useRules } from './use-rules.ts'

const intro =
  'A rule answers tasks that people always answer the same way. A share of these tasks still goes to people, who are not told which. The rule compares their answers with its own, and pauses itself when they disagree too often.'

/** All rules, and for admins suggestions of new ones. */
export function RulesPage() {
  const { workspaceId } = useWorkspace()
  const isAdmin = useRole().isAtLeast('admin')
  const query = useRules()
  const navigate = useNavigate()
  // The URL says whether the dialog is open, so that the command palette can open it.
  const search: { pause?: unknown } = useSearch({ from: '/w/$workspaceId/rules' })
  const setDialogOpen = (isOpen: boolean) =>
    void navigate({
      to: '/w/$workspaceId/rules',
      params: { workspaceId },
      search: isOpen ? { pause: 'all' } : {},
      replace: true,
    })
  const hasActive = query.data?.some(({ state }) => state === 'active') === true
  return (
    <RulesFrame
      title="Rules"
      intro={intro}
      buttons={
        isAdmin && (
          <>
            {hasActive && (
              <button type="button" className="btn" onClick={() => setDialogOpen(true)}>
                <Icon of={Pause} /> Pause all
              </button>
            )}
            <Link className="btn primary" to="/w/$workspaceId/rules/new" params={{ workspaceId }}>
              <Icon of={Plus} /> Create rule
            </Link>
          </>
        )
      }
    >
      <NotAllowed minRole="admin" to="create and change rules" />
      <Loaded query={query} subject="The rules">
        {(rules) => (
          <>
            {isAdmin && <Suggestions rules={rules} />}
            {rules.length > 0 ? <RulesTable rules={rules} /> : <NoRules />}
          </>
        )}
      </Loaded>
      {search.pause === 'all' && isAdmin && (hasActive || query.isPending) && (
        <PauseAllRules onClose={() => setDialogOpen(false)} />
      )}
    </RulesFrame>
  )
}
